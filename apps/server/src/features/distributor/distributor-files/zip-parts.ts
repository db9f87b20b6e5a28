import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Readable, Transform } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { readZipEnd, readZipEntries, type ZipEntry } from '../../../formats/zip.ts'
import { NBSP, quoteText } from '../../../french.ts'
import { buildDamagedArchiveError, buildZipBombError, QuarantineError, WorkbookError } from './refusal.ts'

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
export const MAX_INFLATED_BYTES = 8 * GIB
/** No genuine curve compresses this well; only a zip bomb does. */
const MAX_RATIO = 200
const MAX_DIRECTORY = 4 * MIB
const ZIP64_MARKER = 0xffffffff

/** A name that hides the file or leads outside the target folder. */
const isMisleadingName = (name: string) =>
  name === '' ||
  /^[/\\]|^[A-Za-z]:|[\p{Cc}]/u.test(name) ||
  name.split(/[/\\]/).some((step) => step === '..') ||
  name.includes('\\')

/** Checks every entry of an archive before anything is decompressed. */
export async function listZipParts(file: FileHandle, path: string, size: number): Promise<FilePart[]> {
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
export function pipeWithErrors<T extends Transform>(from: Readable, to: T): T {
  from.on('error', (error) => to.destroy(error))
  to.on('close', () => from.destroy())
  return from.pipe(to)
}

/** Stops a stream that exceeds its declared size, or ends before it. */
export async function* limitStream(
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
