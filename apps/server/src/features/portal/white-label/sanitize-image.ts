import { type Bitmap, MAX_IMAGE_PIXELS, sanitizePng } from './picture-png.ts'
import { sanitizeSvg } from './sanitize-svg.ts'

const MAX_IMAGES = 16
const ENTRY_BYTES = 16
/** A bitmap without its file header, 40 bytes of which say what it is; width and height are told by the entry. */
const isBitmap = (bytes: Buffer) => bytes.length > 40 && bytes.readUInt32LE(0) === 40 && bytes.readUInt16LE(12) === 1

/** One of its pictures, as it is or cleaned. */
async function cleanImage(bytes: Buffer): Promise<Buffer | undefined> {
  return isBitmap(bytes) ? bytes : (await sanitizePng(bytes))?.content
}

function readEntry(bytes: Buffer, at: number) {
  const [size, offset] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)]
  return {
    about: Buffer.from(bytes.subarray(at, at + ENTRY_BYTES)),
    picture: bytes.subarray(offset, offset + size),
    size,
  }
}

/** An icon of several sizes: each is looked at, and nothing stands between them. */
async function sanitizeIco(bytes: Buffer): Promise<Bitmap | undefined> {
  if (bytes.length < 6 + ENTRY_BYTES || bytes.readUInt32LE(0) !== 0x00010000) return undefined
  const count = bytes.readUInt16LE(4)
  if (count < 1 || count > MAX_IMAGES || bytes.length < 6 + count * ENTRY_BYTES) return undefined
  const abouts: Buffer[] = []
  const pictures: Buffer[] = []
  let at = 6 + count * ENTRY_BYTES
  let side = 0
  for (let n = 0; n < count; n++) {
    const { about, picture, size } = readEntry(bytes, 6 + n * ENTRY_BYTES)
    const kept = picture.length === size ? await cleanImage(picture) : undefined
    if (!kept) return undefined
    about.writeUInt32LE(kept.length, 8)
    about.writeUInt32LE(at, 12)
    at += kept.length
    abouts.push(about)
    pictures.push(kept)
    side = Math.max(side, about.readUInt8(0) || 256)
  }
  return { width: side, height: side, content: Buffer.concat([bytes.subarray(0, 6), ...abouts, ...pictures]) }
}

const readTag = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)
const KEPT_WEBP_CHUNKS = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L'])
/** Of what an extended picture announces, only that it lets the ground through. */
const ALPHA_FLAG = 0x10

function readSize(type: string, data: Buffer) {
  if (type === 'VP8X') return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (type === 'VP8 ') return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  const packed = data.readUInt32LE(1)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

function buildChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** A still WebP with nothing in it but the picture. */
async function sanitizeWebp(bytes: Buffer): Promise<Bitmap | undefined> {
  if (bytes.length < 30 || readTag(bytes, 0) !== 'RIFF' || readTag(bytes, 8) !== 'WEBP') return undefined
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let coded = false
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [type, length] = [readTag(bytes, at), bytes.readUInt32LE(at + 4)]
    const data = Buffer.from(bytes.subarray(at + 8, at + 8 + length))
    if (data.length < length) return undefined
    if (KEPT_WEBP_CHUNKS.has(type) && length >= 10) {
      size ??= readSize(type, data)
      coded ||= type === 'VP8 ' || type === 'VP8L'
      if (type === 'VP8X') data.writeUInt8(data.readUInt8(0) & ALPHA_FLAG, 0)
      parts.push(buildChunk(type, data))
    }
    at += 8 + length + (length % 2)
  }
  if (!coded || !size?.width || !size.height || size.width * size.height > MAX_IMAGE_PIXELS) return undefined
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts])
  return { ...size, content: Buffer.concat([buildChunk('RIFF', body)]) }
}

const SOS = 0xda
const EOI = 0xd9
/** How it is coded, and in which colours; what else an application wrote tells of places and devices. */
const isKeptMarker = (marker: number) => marker < 0xe0 || marker === 0xe0 || marker === 0xee
const isFrameMarker = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isStandaloneMarker = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Where the coded part that begins here ends: at the next marker that is none of its own. */
function findEndOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !isStandaloneMarker(next)) return at
  }
  return bytes.length
}

type JpegScan = { at: number; parts: Buffer[]; size?: { width: number; height: number } }

/** One segment further; false where it is not one. */
function readSegment(bytes: Buffer, walk: JpegScan): boolean {
  const { at } = walk
  const marker = bytes[at + 1] ?? 0
  if (bytes[at] !== 0xff || at + 4 > bytes.length) return false
  const end = at + 2 + bytes.readUInt16BE(at + 2)
  if (end > bytes.length || end < at + 4) return false
  if (isFrameMarker(marker) && end >= at + 9)
    walk.size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  const upTo = marker === SOS ? findEndOfScan(bytes, end) : end
  if (isKeptMarker(marker)) walk.parts.push(bytes.subarray(at, upTo))
  walk.at = upTo
  return true
}

/** A JPEG with nothing in it but the picture, and nothing behind it. */
async function sanitizeJpeg(bytes: Buffer): Promise<Bitmap | undefined> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  const walk: JpegScan = { at: 2, parts: [bytes.subarray(0, 2)] }
  while (bytes[walk.at + 1] !== EOI) if (!readSegment(bytes, walk)) return undefined
  const { size } = walk
  if (bytes[walk.at] !== 0xff || !size?.width || !size.height || size.width * size.height > MAX_IMAGE_PIXELS)
    return undefined
  return { ...size, content: Buffer.concat([...walk.parts, Buffer.from([0xff, EOI])]) }
}

type SanitizedImage = Bitmap & { mediaType: string; extension: string }

type ImageFormat = { mediaType: string; extension: string; read: (bytes: Buffer) => Promise<Bitmap | undefined> }
const IMAGE_FORMATS: ImageFormat[] = [
  { mediaType: 'image/png', extension: 'png', read: sanitizePng },
  { mediaType: 'image/jpeg', extension: 'jpg', read: sanitizeJpeg },
  { mediaType: 'image/webp', extension: 'webp', read: sanitizeWebp },
  { mediaType: 'image/x-icon', extension: 'ico', read: sanitizeIco },
  { mediaType: 'image/svg+xml', extension: 'svg', read: sanitizeSvg },
]
export const getImageMediaType = (extension: string) =>
  IMAGE_FORMATS.find((one) => one.extension === extension)?.mediaType ?? 'application/octet-stream'

/** What a picture is, by its content rather than by its name, written anew without what is no picture; undefined of anything else. */
export async function sanitizeImage(content: Uint8Array): Promise<SanitizedImage | undefined> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const { mediaType, extension, read } of IMAGE_FORMATS) {
    const found = await trySanitize(read, bytes)
    if (found) return { ...found, mediaType, extension }
  }
  return undefined
}

/** A file cut short ends before what it announces. */
async function trySanitize(read: ImageFormat['read'], bytes: Buffer) {
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
