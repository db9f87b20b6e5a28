import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

/** A file of an archive; `on` is its day; `text` gets smaller when it is packed. */
export type ZipEntryInput = { name: string; content: Uint8Array; on: string; text?: true }

/** Days as archives write them, since 1980. */
const toDosDate = (day: string) =>
  ((Number(day.slice(0, 4)) - 1980) << 9) | (Number(day.slice(5, 7)) << 5) | Number(day.slice(8, 10))

/** Bit 11: names are UTF-8. */
const UTF8 = 0x0800
const VERSION = 20
const DEFLATED = 8

/** What the head of an entry and the list at the end say alike. */
function buildSharedHeader({ content, on, text }: ZipEntryInput, packed: Uint8Array, nameBytes: number): Buffer {
  const part = Buffer.alloc(26)
  part.writeUInt16LE(VERSION, 0)
  part.writeUInt16LE(UTF8, 2)
  part.writeUInt16LE(text ? DEFLATED : 0, 4)
  part.writeUInt16LE(toDosDate(on), 8)
  part.writeUInt32LE(crc32(content), 10)
  part.writeUInt32LE(packed.byteLength, 14)
  part.writeUInt32LE(content.byteLength, 18)
  part.writeUInt16LE(nameBytes, 22)
  return part
}
const toSignature = (value: number) => {
  const part = Buffer.alloc(4)
  part.writeUInt32LE(value)
  return part
}

/** Each file is in memory, and fits; where it begins may not. */
export function buildCentralRecord(common: Buffer, name: Buffer, at: number): Buffer {
  const far = at >= ZIP64_MARKER
  const extra = far ? buildZip64Extra([at]) : Buffer.alloc(0)
  const about = Buffer.from(common)
  about.writeUInt16LE(far ? 45 : VERSION, 0)
  about.writeUInt16LE(extra.byteLength, 24)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(far ? ZIP64_MARKER : at, 10)
  const madeBy = Buffer.from([far ? 45 : VERSION, 0])
  return Buffer.concat([toSignature(0x02014b50), madeBy, about, tail, name, extra])
}

/** Two files of one name would be one of them to whoever opens the archive. */
function uniqueName(name: string, taken: Set<string>): string {
  const [, stem = name, end = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? []
  for (let n = 2, free = name; ; free = `${stem} (${n++})${end}`)
    if (!taken.has(free)) {
      taken.add(free)
      return free
    }
}

/** An archive written as its files come, each as it is unless it is text: PDF does not get smaller. As many files as come, and as large an archive as they make. */
export async function* createZipStream(entries: AsyncIterable<ZipEntryInput>): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = []
  const taken = new Set<string>()
  let at = 0
  for await (const entry of entries) {
    const name = Buffer.from(uniqueName(entry.name, taken))
    const packed = entry.text ? deflateRawSync(entry.content) : entry.content
    const common = buildSharedHeader(entry, packed, name.byteLength)
    const head = Buffer.concat([toSignature(0x04034b50), common, name])
    list.push(buildCentralRecord(common, name, at))
    yield head
    yield packed
    at += head.byteLength + packed.byteLength
  }
  const end = Buffer.concat(list)
  yield Buffer.concat([end, buildZipEnd(list.length, end.byteLength, at)])
}

/** What does not fit into the four bytes that archives had at first stands beside, in eight (ZIP64). */
const ZIP64_MARKER = 0xffffffff
const MAX_ZIP_FILES = 0xffff

/** Sizes and places of eight bytes, for what does not fit. */
function buildZip64Extra(values: number[]): Buffer {
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

/** A file of an archive: where it lies, or its text. */
type ZipPart = { name: string; on: string } & ({ path: string } | { text: string })
type Sizes = { crc: number; packed: number; whole: number }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
/** From here on sizes may not fit into the four bytes that archives had at first; packing may add a little. */
const ZIP64_THRESHOLD = 0xf0000000

function buildZipHeader(
  name: Buffer,
  on: string,
  { crc, packed, whole }: Sizes,
  large: boolean,
  place?: number,
): Buffer {
  const listed = place !== undefined
  const extra = large ? buildZip64Extra([whole, packed, ...(listed ? [place] : [])]) : Buffer.alloc(0)
  const out = Buffer.alloc(listed ? 46 : 30)
  let at = out.writeUInt32LE(listed ? CENTRAL : LOCAL)
  if (listed) at = out.writeUInt16LE(45, at)
  for (const value of [large ? 45 : 20, UTF8, DEFLATED, 0, toDosDate(on)]) at = out.writeUInt16LE(value, at)
  at = out.writeUInt32LE(crc, at)
  at = out.writeUInt32LE(large ? ZIP64_MARKER : packed, at)
  at = out.writeUInt32LE(large ? ZIP64_MARKER : whole, at)
  at = out.writeUInt16LE(name.length, at)
  at = out.writeUInt16LE(extra.length, at)
  if (listed) out.writeUInt32LE(large ? ZIP64_MARKER : place, 42)
  return Buffer.concat([out, name, extra])
}

/** Packs the content to where the file ends by now; what it comes to is known afterwards. */
async function packPart(file: FileHandle, part: ZipPart, place: number): Promise<Sizes> {
  const sizes = { crc: 0, packed: 0, whole: 0 }
  const measured = new Transform({
    transform(piece: Buffer, _, done) {
      sizes.crc = crc32(piece, sizes.crc)
      sizes.whole += piece.length
      done(null, piece)
    },
  })
  const content = 'path' in part ? createReadStream(part.path) : Readable.from([Buffer.from(part.text)])
  await pipeline(content, measured, createDeflateRaw({ level: 6 }), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      await file.write(piece, 0, piece.length, place + sizes.packed)
      sizes.packed += piece.length
    }
  })
  return sizes
}

/** An archive of files of any size, on the machine: what is large is never in memory. */
export async function writeZipFile(path: string, parts: ZipPart[], large = ZIP64_THRESHOLD): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const list: Buffer[] = []
    let place = 0
    for (const part of parts) {
      const name = Buffer.from(part.name)
      const isLarge = ('path' in part ? (await stat(part.path)).size : part.text.length) + place >= large
      const none = { crc: 0, packed: 0, whole: 0 }
      const room = buildZipHeader(name, part.on, none, isLarge).length
      const sizes = await packPart(file, part, place + room)
      await file.write(buildZipHeader(name, part.on, sizes, isLarge), 0, room, place)
      list.push(buildZipHeader(name, part.on, sizes, isLarge, place))
      place += room + sizes.packed
    }
    const end = Buffer.concat(list)
    await file.write(Buffer.concat([end, buildZipEnd(parts.length, end.length, place)]), 0, undefined, place)
    await file.sync()
  } finally {
    await file.close()
  }
}

const END_SIGNATURE = 0x06054b50
const CENTRAL_SIGNATURE = 0x02014b50
const STORED = 0
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
