import { createDecipheriv } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { NBSP, quoteText } from '@voisol/file-formats/french'
import { readZipEnd, readZipEntries, type ZipEntry } from '@voisol/file-formats/open-zip'
import { detectForeignFileType } from '../../../files/table-file.ts'
import { PRIVATE_FILE } from '../../../private-files.ts'
import { QuarantineError } from './quarantine.ts'

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

/** A workbook, which is technically a ZIP archive. */
class WorkbookError extends QuarantineError {}

const buildDamagedArchiveError = () =>
  new QuarantineError(
    'archive',
    `Cette archive est incomplète ou abîmée${NBSP}: son contenu ne peut pas être lu en entier.`,
  )

const buildZipBombError = () =>
  new QuarantineError(
    'bomb',
    `Cette archive se décompresse d’une façon anormale ou en plus de 8${NBSP}Go${NBSP}: elle est refusée.`,
  )

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

/** A file of an archive, or the uploaded file itself; it can be opened several times. */
export type FilePart = {
  name: string
  size: number
  /** The uploaded file itself, which can be handed on to the curve imports. */
  bare?: true
  open(): AsyncIterable<Uint8Array>
}

const LOCAL_HEADER_SIGNATURE = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const MAX_END_BYTES = 22 + 65_535
const MIB = 1024 * 1024
const GIB = 1024 * MIB
const MAX_INFLATED_BYTES = 8 * GIB
const MAX_DIRECTORY = 4 * MIB
const ZIP64_MARKER = 0xffffffff

/** A name that hides the file or leads outside the target folder. */
const isMisleadingName = (name: string) =>
  name === '' ||
  /^[/\\]|^[A-Za-z]:|[\p{Cc}]/u.test(name) ||
  name.split(/[/\\]/).some((step) => step === '..') ||
  name.includes('\\')

/** Checks every entry of an archive before anything is decompressed. */
async function listZipParts(file: FileHandle, path: string, size: number): Promise<FilePart[]> {
  const entries = (await readDirectory(file, size)).filter(
    ({ name }) => !name.endsWith('/') && !name.startsWith('__MACOSX/') && !name.endsWith('.DS_Store'),
  )
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    throw new WorkbookError(
      'kind',
      `Cette archive contient un classeur ou un document bureautique${NBSP}: importez une courbe Excel depuis l’écran des courbes de charge.`,
    )
  for (const entry of entries) requireSafeEntry(entry)
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > MAX_INFLATED_BYTES) throw buildZipBombError()
  if (entries.length === 0) throw new QuarantineError('archive', 'Cette archive ne contient aucun fichier.')
  return Promise.all(entries.map((entry) => openZipPart(file, path, entry, size)))
}

function requireSafeEntry({ name, encrypted, method, packed, size }: ZipEntry): void {
  if (isMisleadingName(name))
    throw new QuarantineError(
      'archive',
      `Un fichier de cette archive porte un nom trompeur${NBSP}: ${quoteText(name)}.`,
    )
  if (encrypted)
    throw new QuarantineError(
      'archive',
      `Cette archive est protégée par un mot de passe${NBSP}: elle ne peut pas être lue.`,
    )
  if (size === ZIP64_MARKER || packed === ZIP64_MARKER || (size > MIB && size > packed * MAX_RATIO))
    throw buildZipBombError()
  if (method !== 0 && method !== 8) throw buildDamagedArchiveError()
}

async function readDirectory(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const tail = await readBytes(file, Math.max(0, size - MAX_END_BYTES), Math.min(size, MAX_END_BYTES))
  const end = rethrowAsDamaged(() => readZipEnd(new DataView(tail.buffer, tail.byteOffset, tail.byteLength)))
  if (end.offset + end.size > size || end.size > MAX_DIRECTORY) throw buildDamagedArchiveError()
  const directory = await readBytes(file, end.offset, end.size)
  return rethrowAsDamaged(() => readZipEntries(directory, 0, end.count))
}

/** Replaces the messages of the ZIP reader, written for workbooks, by those of this feature. */
function rethrowAsDamaged<T>(work: () => T): T {
  try {
    return work()
  } catch {
    throw buildDamagedArchiveError()
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead !== length) throw buildDamagedArchiveError()
  return bytes
}

async function openZipPart(file: FileHandle, path: string, entry: ZipEntry, size: number): Promise<FilePart> {
  if (entry.offset + LOCAL_HEADER_BYTES > size) throw buildDamagedArchiveError()
  const head = await readBytes(file, entry.offset, LOCAL_HEADER_BYTES)
  const view = new DataView(head.buffer)
  if (view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) throw buildDamagedArchiveError()
  const start = entry.offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.packed > size) throw buildDamagedArchiveError()
  const name = entry.name.split('/').at(-1) ?? entry.name
  return { name, size: entry.size, open: () => streamZipEntry(path, start, entry) }
}

async function* streamZipEntry(
  path: string,
  start: number,
  { method, packed, size }: ZipEntry,
): AsyncGenerator<Uint8Array> {
  if (packed === 0) return
  const raw = createReadStream(path, { start, end: start + packed - 1, highWaterMark: 256 * 1024 })
  yield* limitStream(method === 0 ? raw : pipeWithErrors(raw, createInflateRaw({ chunkSize: 256 * 1024 })), size, true)
}

/** An error at one end destroys the other, so that no stream stays open. */
function pipeWithErrors<T extends Transform>(from: Readable, to: T): T {
  from.on('error', (error) => to.destroy(error))
  to.on('close', () => from.destroy())
  return from.pipe(to)
}

/** Stops a stream that exceeds its declared size, or ends before it. */
async function* limitStream(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  exactly: boolean,
): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const piece of stream) {
      length += piece.length
      if (length > maxBytes) throw buildZipBombError()
      yield piece
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(Z_|ERR_)/.test(String(error.code)))
      throw buildDamagedArchiveError()
    throw error
  }
  if (exactly && length !== maxBytes) throw buildDamagedArchiveError()
}
