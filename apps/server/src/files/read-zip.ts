import { crc32, inflateRawSync } from 'node:zlib'
import { readZipDirectory } from './zip64.ts'

const END_SIGNATURE = 0x06054b50
const CENTRAL_SIGNATURE = 0x02014b50
const STORED = 0
const DEFLATED = 8
/** No text of ours is larger before it is packed: what claims to be is a trap. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

/** `packed` and `size` are what the list of the archive says, which `read` holds to. */
export type ReadableZipEntry = { name: string; packed: number; size: number; read(): Buffer }
export class ZipError extends Error {}

/** The files of an archive by the list at its end; each is unpacked, and held against its sum, when it is read. */
export function readZip(zip: Buffer, maxEntries = Number.POSITIVE_INFINITY): ReadableZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== END_SIGNATURE) throw new ZipError('not an archive')
  const files: ReadableZipEntry[] = []
  const { entries, place } = readZipDirectory(zip, end)
  if (entries > maxEntries) throw new ZipError('too many files')
  let at = place
  for (let left = entries; left > 0; left--) {
    if (at + 46 > end || zip.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw new ZipError('its list is broken')
    const nameBytes = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes)
    const entry = at
    const [packed, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    files.push({ name, packed, size, read: () => unpackEntry(zip, entry) })
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

function unpackEntry(zip: Buffer, entry: number): Buffer {
  const [method, sum] = [zip.readUInt16LE(entry + 10), zip.readUInt32LE(entry + 16)]
  const [packed, size, head] = [
    zip.readUInt32LE(entry + 20),
    zip.readUInt32LE(entry + 24),
    zip.readUInt32LE(entry + 42),
  ]
  if (size > MAX_UNPACKED_BYTES || head + 30 > zip.length || ![STORED, DEFLATED].includes(method))
    throw new ZipError('a file cannot be read')
  const from = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28)
  const body = zip.subarray(from, from + packed)
  const content = method === DEFLATED ? inflateRawSync(body, { maxOutputLength: size + 1 }) : body
  if (content.length !== size || crc32(content) !== sum) throw new ZipError('a file is not what was packed')
  return content
}
