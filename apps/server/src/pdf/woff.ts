import { inflateSync } from 'node:zlib'

const ENTRY_BYTES = 20
const padLength = (length: number) => (length + 3) & ~3

type FontTable = { tag: number; checksum: number; data: Buffer }

function readTables(woff: Buffer): FontTable[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * ENTRY_BYTES
    const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ] // three fields were asked for
    const stored = woff.subarray(offset, offset + packed)
    return {
      tag: woff.readUInt32BE(entry),
      checksum: woff.readUInt32BE(entry + 16),
      data: packed < size ? inflateSync(stored) : stored,
    }
  })
}

/** The font as TrueType, decompressed once instead of for every document. */
export function unpackWoff(woff: Buffer): Buffer {
  const tables = readTables(woff)
  const directory = 12 + tables.length * 16
  const font = Buffer.alloc(tables.reduce((sum, { data }) => sum + padLength(data.length), directory))
  font.writeUInt32BE(woff.readUInt32BE(4), 0)
  font.writeUInt16BE(tables.length, 4)
  let offset = directory
  for (const [at, { tag, checksum, data }] of tables.entries()) {
    for (const [field, value] of [tag, checksum, offset, data.length].entries())
      font.writeUInt32BE(value, 12 + at * 16 + field * 4)
    data.copy(font, offset)
    offset += padLength(data.length)
  }
  return font
}
