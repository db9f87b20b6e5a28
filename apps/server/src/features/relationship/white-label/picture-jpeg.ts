import { type Bitmap, MAX_IMAGE_PIXELS } from './picture-png.ts'

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
export async function sanitizeJpeg(bytes: Buffer): Promise<Bitmap | undefined> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  const walk: JpegScan = { at: 2, parts: [bytes.subarray(0, 2)] }
  while (bytes[walk.at + 1] !== EOI) if (!readSegment(bytes, walk)) return undefined
  const { size } = walk
  if (bytes[walk.at] !== 0xff || !size?.width || !size.height || size.width * size.height > MAX_IMAGE_PIXELS)
    return undefined
  return { ...size, content: Buffer.concat([...walk.parts, Buffer.from([0xff, EOI])]) }
}
