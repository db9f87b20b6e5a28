import { createDecipheriv } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { detectForeignFileType } from '../../../files/foreign.ts'
import { NBSP } from '../../../french.ts'
import { PRIVATE_FILE } from '../../../private-files.ts'
import { buildDamagedArchiveError, buildZipBombError, QuarantineError, WorkbookError } from './refusal.ts'
import { type FilePart, limitStream, listZipParts, MAX_INFLATED_BYTES, pipeWithErrors } from './zip-parts.ts'

const PIECE_BYTES = 1024 * 1024
const IV_BYTES = 16
const BLOCK_BYTES = 16
const MAX_RATIO = 200
const HEAD_BYTES = 4096

export type OpenFileInput = {
  path: string
  name: string
  /** The AES key of the company as 64 hexadecimal characters, if it gave one. */
  key: string | null
  /** A temporary folder for decompressed files, emptied by the caller. */
  scratch: string
}

const startsWithBytes = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)
const isZip = (bytes: Uint8Array) =>
  startsWithBytes(bytes, 0x50, 0x4b, 3, 4) || startsWithBytes(bytes, 0x50, 0x4b, 5, 6)
const isGzip = (bytes: Uint8Array) => startsWithBytes(bytes, 0x1f, 0x8b)

/** Text has a byte order mark or no control characters; encrypted data nearly always has some. */
function isText(bytes: Uint8Array): boolean {
  if (
    startsWithBytes(bytes, 0xef, 0xbb, 0xbf) ||
    startsWithBytes(bytes, 0xff, 0xfe) ||
    startsWithBytes(bytes, 0xfe, 0xff)
  )
    return true
  return !bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
}

/** The files inside an upload, recognised by content: plain, compressed, or an encrypted ZIP. */
export async function openFileParts(opening: OpenFileInput): Promise<FilePart[]> {
  const file = await open(opening.path)
  try {
    return await listParts(file, opening, 0)
  } finally {
    await file.close()
  }
}

type OpenLevel = OpenFileInput & { deciphered?: true }

async function listParts(file: FileHandle, at: OpenLevel, depth: number): Promise<FilePart[]> {
  const { size } = await file.stat()
  if (size === 0) throw new QuarantineError('archive', 'Ce fichier est vide.')
  const head = new Uint8Array(Math.min(size, HEAD_BYTES))
  await file.read(head, 0, head.length, 0)
  if (isZip(head)) return openNestedParts(await listArchiveParts(file, size, at, depth), at, depth)
  if (isGzip(head)) return openNestedParts([toGzipPart(at, size)], at, depth)
  const what = detectForeignFileType(head)
  if (what) throw new QuarantineError('kind', `Ce fichier est ${what}${NBSP}: il n’est pas lu ici.`)
  const open = () => createReadStream(at.path, { highWaterMark: PIECE_BYTES })
  if (isText(head)) return [{ name: at.name, size, open, ...(isReceived(at, depth) && { bare: true as const }) }]
  return openEncryptedParts(at, size, depth)
}

/** Whether this is the uploaded file itself, and not a file inside an archive. */
const isReceived = (at: OpenLevel, depth: number) => depth === 0 && !at.deciphered

async function listArchiveParts(file: FileHandle, size: number, at: OpenLevel, depth: number): Promise<FilePart[]> {
  try {
    return await listZipParts(file, at.path, size)
  } catch (error) {
    if (error instanceof WorkbookError && isReceived(at, depth))
      throw new QuarantineError(
        'asks',
        `Ce fichier est un classeur, pas un flux du distributeur${NBSP}: il attend dans les imports de courbes que vous disiez comment le lire.`,
      )
    throw error
  }
}

function toGzipPart({ path, name }: OpenLevel, size: number): FilePart {
  const maxBytes = Math.min(MAX_INFLATED_BYTES, Math.max(PIECE_BYTES, size * MAX_RATIO))
  const content = () =>
    pipeWithErrors(createReadStream(path, { highWaterMark: 256 * 1024 }), createGunzip({ chunkSize: 256 * 1024 }))
  // The size of a gzip stream is known only when it is read.
  return { name: name.replace(/\.gz$/i, ''), size: 0, open: () => limitStream(content(), maxBytes, false) }
}

/** An archive inside an archive is opened once; a deeper nesting is refused as an attack. */
async function openNestedParts(parts: FilePart[], at: OpenLevel, depth: number): Promise<FilePart[]> {
  const all: FilePart[] = []
  for (const [n, part] of parts.entries()) {
    const head = await readPartHead(part)
    if (!isZip(head) && !isGzip(head)) {
      all.push(part)
      continue
    }
    if (depth >= 1) throw new QuarantineError('archive', 'Cette archive contient des archives sur plus d’un niveau.')
    const path = join(at.scratch, `${depth}-${n}`)
    await pipeline(part.open(), createWriteStream(path, PRIVATE_FILE))
    const file = await open(path)
    all.push(...(await listParts(file, { ...at, path, name: part.name }, depth + 1).finally(() => file.close())))
    if (all.reduce((sum, { size }) => sum + size, 0) > MAX_INFLATED_BYTES) throw buildZipBombError()
  }
  return all
}

export async function readPartHead(part: FilePart): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of part.open()) {
    pieces.push(piece)
    length += piece.length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES)
}

/** The initialisation vector comes first; the decrypted data must be a ZIP, otherwise the key is wrong. */
async function openEncryptedParts(at: OpenLevel, size: number, depth: number): Promise<FilePart[]> {
  if (depth > 0 || at.deciphered) throw buildDamagedArchiveError()
  if (!at.key)
    throw new QuarantineError(
      'key',
      'Ce fichier semble chiffré, et aucune clé n’est enregistrée dans les réglages de synchronisation.',
    )
  if (size < IV_BYTES + BLOCK_BYTES || (size - IV_BYTES) % BLOCK_BYTES !== 0)
    throw new QuarantineError(
      'archive',
      `Ce fichier chiffré est incomplet${NBSP}: sa longueur n’est pas celle d’un chiffrement AES.`,
    )
  const path = join(at.scratch, 'open')
  await decryptFile(at.path, path, at.key)
  const file = await open(path)
  try {
    const head = new Uint8Array(4)
    await file.read(head, 0, 4, 0)
    if (!isZip(head)) throw buildWrongKeyError()
    return await listParts(file, { ...at, path, deciphered: true }, depth)
  } finally {
    await file.close()
  }
}

const buildWrongKeyError = () =>
  new QuarantineError(
    'key',
    'Ce fichier chiffré ne s’ouvre pas avec la clé enregistrée (ou il n’est pas un fichier du distributeur).',
  )

async function decryptFile(from: string, to: string, key: string): Promise<void> {
  const vector = Buffer.alloc(IV_BYTES)
  const file = await open(from)
  await file.read(vector, 0, IV_BYTES, 0).finally(() => file.close())
  const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'hex'), vector)
  try {
    await pipeline(
      createReadStream(from, { start: IV_BYTES, highWaterMark: PIECE_BYTES }),
      cipher,
      createWriteStream(to, PRIVATE_FILE),
    )
  } catch (error) {
    // The AES padding reveals a wrong key only at the end of the decryption.
    if (error instanceof Error && 'code' in error && /OSSL|BAD_DECRYPT|WRONG_FINAL/.test(String(error.code)))
      throw buildWrongKeyError()
    throw error
  }
}
