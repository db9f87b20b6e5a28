/** What does not fit into the four bytes that archives had at first stands beside, in eight (ZIP64). */
export const ZIP64_MARKER = 0xffffffff
const MAX_ZIP_FILES = 0xffff

/** Sizes and places of eight bytes, for what does not fit. */
export function buildZip64Extra(values: number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + at * 8)
  return extra
}

/** The end of an archive: how many files it lists, how long the list is and where it begins. */
export function buildZipEnd(entries: number, size: number, place: number): Buffer {
  const large = entries >= MAX_ZIP_FILES || size >= ZIP64_MARKER || place >= ZIP64_MARKER
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(large ? MAX_ZIP_FILES : entries, 8)
  end.writeUInt16LE(large ? MAX_ZIP_FILES : entries, 10)
  end.writeUInt32LE(large ? ZIP64_MARKER : size, 12)
  end.writeUInt32LE(large ? ZIP64_MARKER : place, 16)
  if (!large) return end
  const more = Buffer.alloc(76)
  more.writeUInt32LE(0x06064b50, 0)
  more.writeBigUInt64LE(44n, 4)
  more.writeUInt16LE(45, 12)
  more.writeUInt16LE(45, 14)
  more.writeBigUInt64LE(BigInt(entries), 24)
  more.writeBigUInt64LE(BigInt(entries), 32)
  more.writeBigUInt64LE(BigInt(size), 40)
  more.writeBigUInt64LE(BigInt(place), 48)
  more.writeUInt32LE(0x07064b50, 56)
  more.writeBigUInt64LE(BigInt(place + size), 64)
  more.writeUInt32LE(1, 72)
  return Buffer.concat([more, end])
}

/** How many files an archive lists and where the list begins, from `end`, where its last record stands. */
export function readZipDirectory(zip: Buffer, end: number): { entries: number; place: number } {
  const short = { entries: zip.readUInt16LE(end + 10), place: zip.readUInt32LE(end + 16) }
  const locator = end - 20
  if (short.entries < MAX_ZIP_FILES && short.place < ZIP64_MARKER) return short
  if (locator < 0 || zip.readUInt32LE(locator) !== 0x07064b50) return short
  const more = Number(zip.readBigUInt64LE(locator + 8))
  if (more + 56 > locator || zip.readUInt32LE(more) !== 0x06064b50) return short
  return { entries: Number(zip.readBigUInt64LE(more + 32)), place: Number(zip.readBigUInt64LE(more + 48)) }
}
