import { inflateRawSync } from 'node:zlib'
import { FileRefusedError } from './curve-file-types.ts'
import { formatFrenchNumber, NBSP } from './french.ts'

export type ZipEntry = {
  name: string
  method: number
  packed: number
  size: number
  offset: number
  encrypted: boolean
}
export type ZipArchive = { has(name: string): boolean; read(name: string): string }

const END_SIGNATURE = 0x06054b50
const CENTRAL_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const MAX_ENTRIES = 2000
const MAX_RATIO = 200
const MIB = 1024 * 1024

const createDamagedError = () =>
  new FileRefusedError(`Ce classeur Excel est incomplet ou abîmé${NBSP}: téléchargez-le de nouveau.`)
/** Parts of a workbook, once inflated. */
const MAX_INFLATED = 128 * 1024 * 1024

const createZipBombError = () =>
  new FileRefusedError(
    `Ce classeur se décompresse en plus de ${formatFrenchNumber(MAX_INFLATED / MIB)}${NBSP}Mo ou d’une façon anormale${NBSP}: il est refusé.`,
  )

/**
 * Reads a ZIP archive part by part. Declared sizes are checked before anything is inflated, and no part is inflated beyond its
 * declared size: a lie stops there.
 */
export function openZipArchive(bytes: Uint8Array): ZipArchive {
  const entries = new Map(readDirectory(bytes).map((entry) => [entry.name, entry]))
  let inflated = 0
  return {
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name)
      if (!entry) throw createDamagedError()
      inflated += entry.size
      if (inflated > MAX_INFLATED || (entry.size > MIB && entry.size > entry.packed * MAX_RATIO))
        throw createZipBombError()
      return new TextDecoder().decode(inflate(bytes, entry))
    },
  }
}

function readDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { count, offset } = readZipEnd(view)
  return readZipEntries(bytes, offset, count)
}

/** Where the directory is and how many entries it has, from the end of the archive. */
export function readZipEnd(view: DataView): { count: number; offset: number; size: number } {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw createZipBombError()
  return { count, size: view.getUint32(end + 12, true), offset: view.getUint32(end + 16, true) }
}

/** The entries of a directory that starts at `from`. */
export function readZipEntries(bytes: Uint8Array, from: number, count: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = []
  let at = from
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL_SIGNATURE) throw createDamagedError()
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  const last = view.byteLength - 22
  for (let at = last; at >= Math.max(0, last - 65_535); at--) if (view.getUint32(at, true) === END_SIGNATURE) return at
  throw createDamagedError()
}

function inflate(bytes: Uint8Array, { method, packed, size, offset }: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL_SIGNATURE) throw createDamagedError()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const data = bytes.subarray(start, start + packed)
  if (data.length !== packed) throw createDamagedError()
  if (method === 0) return data
  if (method !== 8) throw createDamagedError()
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    const overflow = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw overflow ? createZipBombError() : createDamagedError()
  }
}
