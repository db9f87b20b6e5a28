import { createDecipheriv } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { foreignKind } from '../../../files/foreign.ts'
import { NBSP } from '../../../french.ts'
import { PRIVATE_FILE } from '../../../private-files.ts'
import { damaged, Quarantined, swollen, Workbook } from './refusal.ts'
import { bounded, MOST_INFLATED, type Part, through, zipParts } from './zip-parts.ts'

const PIECE = 1024 * 1024
const VECTOR = 16
const BLOCK = 16
const MAX_RATIO = 200
const HEAD = 4096

export type Opening = {
  path: string
  name: string
  /** 64 hexadecimal characters, where the company has given it. */
  key: string | null
  /** A folder of its own for what must be laid open, emptied by the caller. */
  scratch: string
}

const starts = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
const isZip = (bytes: Uint8Array) => starts(bytes, 0x50, 0x4b, 3, 4) || starts(bytes, 0x50, 0x4b, 5, 6)
const isGzip = (bytes: Uint8Array) => starts(bytes, 0x1f, 0x8b)

/** Text begins with a mark, a tag, a bracket or letters; what is enciphered looks like none of it. */
function isText(bytes: Uint8Array): boolean {
  if (starts(bytes, 0xef, 0xbb, 0xbf) || starts(bytes, 0xff, 0xfe) || starts(bytes, 0xfe, 0xff)) return true
  return !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
}

/** The files that a deposit holds, found by content: as it is, packed, or enciphered around a ZIP. */
export async function openParts(opening: Opening): Promise<Part[]> {
  const file = await open(opening.path)
  try {
    return await partsOf(file, opening, 0)
  } finally {
    await file.close()
  }
}

type Level = Opening & { deciphered?: true }

async function partsOf(file: FileHandle, at: Level, depth: number): Promise<Part[]> {
  const { size } = await file.stat()
  if (size === 0) throw new Quarantined('archive', 'Ce fichier est vide.')
  const head = new Uint8Array(Math.min(size, HEAD))
  await file.read(head, 0, head.length, 0)
  if (isZip(head)) return nested(await entriesOf(file, size, at, depth), at, depth)
  if (isGzip(head)) return nested([gzipPart(at, size)], at, depth)
  const what = foreignKind(head)
  if (what) throw new Quarantined('kind', `Ce fichier est ${what}${NBSP}: il n’est pas lu ici.`)
  const open = () => createReadStream(at.path, { highWaterMark: PIECE })
  if (isText(head)) return [{ name: at.name, size, open, ...(isReceived(at, depth) && { bare: true as const }) }]
  return deciphered(at, size, depth)
}

/** The file itself, and not something that was inside it. */
const isReceived = (at: Level, depth: number) => depth === 0 && !at.deciphered

async function entriesOf(file: FileHandle, size: number, at: Level, depth: number): Promise<Part[]> {
  try {
    return await zipParts(file, at.path, size)
  } catch (error) {
    if (error instanceof Workbook && isReceived(at, depth))
      throw new Quarantined(
        'asks',
        `Ce fichier est un classeur, pas un flux du distributeur${NBSP}: il attend dans les imports de courbes que vous disiez comment le lire.`,
      )
    throw error
  }
}

function gzipPart({ path, name }: Level, size: number): Part {
  const most = Math.min(MOST_INFLATED, Math.max(PIECE, size * MAX_RATIO))
  const content = () =>
    through(createReadStream(path, { highWaterMark: 256 * 1024 }), createGunzip({ chunkSize: 256 * 1024 }))
  // How large it is shows only when it is read.
  return { name: name.replace(/\.gz$/i, ''), size: 0, open: () => bounded(content(), most, false) }
}

/** An archive in an archive is opened once; beyond, nobody means well. */
async function nested(parts: Part[], at: Level, depth: number): Promise<Part[]> {
  const all: Part[] = []
  for (const [n, part] of parts.entries()) {
    const head = await headOf(part)
    if (!isZip(head) && !isGzip(head)) {
      all.push(part)
      continue
    }
    if (depth >= 1) throw new Quarantined('archive', 'Cette archive contient des archives sur plus d’un niveau.')
    const path = join(at.scratch, `${depth}-${n}`)
    await pipeline(part.open(), createWriteStream(path, PRIVATE_FILE))
    const file = await open(path)
    all.push(...(await partsOf(file, { ...at, path, name: part.name }, depth + 1).finally(() => file.close())))
    if (all.reduce((sum, { size }) => sum + size, 0) > MOST_INFLATED) throw swollen()
  }
  return all
}

export async function headOf(part: Part): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.open()) {
    pieces.push(piece)
    length += piece.length
    if (length >= HEAD) break
  }
  return Buffer.concat(pieces).subarray(0, HEAD)
}

/** The vector stands in front; what comes out is a ZIP, or the key is another. */
async function deciphered(at: Level, size: number, depth: number): Promise<Part[]> {
  if (depth > 0 || at.deciphered) throw damaged()
  if (!at.key)
    throw new Quarantined(
      'key',
      'Ce fichier semble chiffré, et aucune clé n’est enregistrée dans les réglages de synchronisation.',
    )
  if (size < VECTOR + BLOCK || (size - VECTOR) % BLOCK !== 0)
    throw new Quarantined(
      'archive',
      `Ce fichier chiffré est incomplet${NBSP}: sa longueur n’est pas celle d’un chiffrement AES.`,
    )
  const path = join(at.scratch, 'open')
  await decipher(at.path, path, at.key)
  const file = await open(path)
  try {
    const head = new Uint8Array(4)
    await file.read(head, 0, 4, 0)
    if (!isZip(head)) throw wrongKey()
    return await partsOf(file, { ...at, path, deciphered: true }, depth)
  } finally {
    await file.close()
  }
}

const wrongKey = () =>
  new Quarantined(
    'key',
    'Ce fichier chiffré ne s’ouvre pas avec la clé enregistrée (ou il n’est pas un fichier du distributeur).',
  )

async function decipher(from: string, to: string, key: string): Promise<void> {
  const vector = Buffer.alloc(VECTOR)
  const file = await open(from)
  await file.read(vector, 0, VECTOR, 0).finally(() => file.close())
  const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'hex'), vector)
  try {
    await pipeline(
      createReadStream(from, { start: VECTOR, highWaterMark: PIECE }),
      cipher,
      createWriteStream(to, PRIVATE_FILE),
    )
  } catch (error) {
    // The padding tells of a wrong key only once everything was deciphered.
    if (error instanceof Error && 'code' in error && /OSSL|BAD_DECRYPT|WRONG_FINAL/.test(String(error.code)))
      throw wrongKey()
    throw error
  }
}
