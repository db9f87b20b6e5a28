import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Readable, Transform } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { readEnd, readEntries, type ZipEntry } from '../../../formats/zip.ts'
import { NBSP, quoted } from '../../../french.ts'
import { damaged, Quarantined, swollen, Workbook } from './refusal.ts'

/** One file of an archive, or the only one; it may be read more than once. */
export type Part = {
  name: string
  size: number
  /** It came as it is: it can be handed on to a person. */
  bare?: true
  open(): AsyncIterable<Uint8Array>
}

const LOCAL = 0x04034b50
const LOCAL_SIZE = 30
const END_SIZE = 22 + 65_535
const MIB = 1024 * 1024
const GIB = 1024 * MIB
export const MOST_INFLATED = 8 * GIB
/** No curve is written so that it packs a thousandfold; repeated bytes are. */
const MAX_RATIO = 200
const MAX_DIRECTORY = 4 * MIB
const BIG = 0xffffffff

/** What hides where it would be written, or would be written elsewhere. */
const misleading = (name: string) =>
  name === '' ||
  /^[/\\]|^[A-Za-z]:|[\p{Cc}]/u.test(name) ||
  name.split(/[/\\]/).some((step) => step === '..') ||
  name.includes('\\')

/** The entries of an archive: nothing is inflated before each of them has been checked. */
export async function zipParts(file: FileHandle, path: string, size: number): Promise<Part[]> {
  const entries = (await directoryOf(file, size)).filter(
    ({ name }) => !name.endsWith('/') && !name.startsWith('__MACOSX/') && !name.endsWith('.DS_Store'),
  )
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    throw new Workbook(
      'kind',
      `Cette archive contient un classeur ou un document bureautique${NBSP}: importez une courbe Excel depuis l’écran des courbes de charge.`,
    )
  for (const entry of entries) check(entry)
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > MOST_INFLATED) throw swollen()
  if (entries.length === 0) throw new Quarantined('archive', 'Cette archive ne contient aucun fichier.')
  return Promise.all(entries.map((entry) => partOf(file, path, entry, size)))
}

function check({ name, encrypted, method, packed, size }: ZipEntry): void {
  if (misleading(name))
    throw new Quarantined('archive', `Un fichier de cette archive porte un nom trompeur${NBSP}: ${quoted(name)}.`)
  if (encrypted)
    throw new Quarantined(
      'archive',
      `Cette archive est protégée par un mot de passe${NBSP}: elle ne peut pas être lue.`,
    )
  if (size === BIG || packed === BIG || (size > MIB && size > packed * MAX_RATIO)) throw swollen()
  if (method !== 0 && method !== 8) throw damaged()
}

async function directoryOf(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const tail = await read(file, Math.max(0, size - END_SIZE), Math.min(size, END_SIZE))
  const end = refusing(() => readEnd(new DataView(tail.buffer, tail.byteOffset, tail.byteLength)))
  if (end.offset + end.size > size || end.size > MAX_DIRECTORY) throw damaged()
  const directory = await read(file, end.offset, end.size)
  return refusing(() => readEntries(directory, 0, end.count))
}

/** What the reader of workbooks says of archives is said in our own words. */
function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch {
    throw damaged()
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead !== length) throw damaged()
  return bytes
}

async function partOf(file: FileHandle, path: string, entry: ZipEntry, size: number): Promise<Part> {
  if (entry.offset + LOCAL_SIZE > size) throw damaged()
  const head = await read(file, entry.offset, LOCAL_SIZE)
  const view = new DataView(head.buffer)
  if (view.getUint32(0, true) !== LOCAL) throw damaged()
  const start = entry.offset + LOCAL_SIZE + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.packed > size) throw damaged()
  const name = entry.name.split('/').at(-1) ?? entry.name
  return { name, size: entry.size, open: () => contentOf(path, start, entry) }
}

async function* contentOf(path: string, start: number, { method, packed, size }: ZipEntry): AsyncGenerator<Uint8Array> {
  if (packed === 0) return
  const raw = createReadStream(path, { start, end: start + packed - 1, highWaterMark: 256 * 1024 })
  yield* bounded(method === 0 ? raw : through(raw, createInflateRaw({ chunkSize: 256 * 1024 })), size, true)
}

/** What goes wrong at one end is known at the other, and none of them stays open. */
export function through<T extends Transform>(from: Readable, to: T): T {
  from.on('error', (error) => to.destroy(error))
  to.on('close', () => from.destroy())
  return from.pipe(to)
}

/** Stops what says more than it declared, and what ends too early. */
export async function* bounded(
  stream: AsyncIterable<Uint8Array>,
  most: number,
  exactly: boolean,
): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const piece of stream) {
      length += piece.length
      if (length > most) throw swollen()
      yield piece
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(Z_|ERR_)/.test(String(error.code))) throw damaged()
    throw error
  }
  if (exactly && length !== most) throw damaged()
}
