import { inflateSync } from 'node:zlib'

const ENTRY = 20
const padded = (length: number) => (length + 3) & ~3

type Table = { tag: number; checksum: number; data: Buffer }

function tablesOf(woff: Buffer): Table[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * ENTRY
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

/** The font as TrueType, unpacked once: read packed, every document would unpack it again. */
export function unpackWoff(woff: Buffer): Buffer {
  const tables = tablesOf(woff)
  const directory = 12 + tables.length * 16
  const font = Buffer.alloc(tables.reduce((sum, { data }) => sum + padded(data.length), directory))
  font.writeUInt32BE(woff.readUInt32BE(4), 0)
  font.writeUInt16BE(tables.length, 4)
  let offset = directory
  for (const [at, { tag, checksum, data }] of tables.entries()) {
    for (const [field, value] of [tag, checksum, offset, data.length].entries())
      font.writeUInt32BE(value, 12 + at * 16 + field * 4)
    data.copy(font, offset)
    offset += padded(data.length)
  }
  return font
}
