export type ImageHeader = { mediaType: string; extension: string; width: number; height: number }

const hasAscii = (bytes: Buffer, at: number, text: string) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text
const buildHeader = (mediaType: string, width: number, height: number): ImageHeader => ({
  mediaType,
  width,
  height,
  extension: mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length),
})

function parsePngHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasAscii(bytes, 12, 'IHDR')) return undefined
  return buildHeader('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function parseGifHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, 'GIF87a') && !hasAscii(bytes, 0, 'GIF89a')) return undefined
  return buildHeader('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8))
}

/** Segments follow each other up to the one that begins a frame. */
function parseJpegHeader(bytes: Buffer) {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return buildHeader('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (marker === 0xff) at += 1
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

function parseWebpHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 0, 'RIFF') || !hasAscii(bytes, 8, 'WEBP')) return undefined
  if (hasAscii(bytes, 12, 'VP8X'))
    return buildHeader('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (hasAscii(bytes, 12, 'VP8 '))
    return buildHeader('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (!hasAscii(bytes, 12, 'VP8L')) return undefined
  const packed = bytes.readUInt32LE(21)
  return buildHeader('image/webp', (packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
}

/** The size stands in a box named `ispe`; a picture made of several has one for each, the whole being the largest. */
function parseAvifHeader(bytes: Buffer) {
  if (!hasAscii(bytes, 4, 'ftyp')) return undefined
  const brands = bytes.subarray(8, Math.min(bytes.readUInt32BE(0), 200)).toString('latin1')
  if (!/avi[fs]/.test(brands)) return undefined
  const head = bytes.subarray(0, 100_000)
  let best: ImageHeader | undefined
  for (let at = head.indexOf('ispe'); at !== -1; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break
    const found = buildHeader('image/avif', head.readUInt32BE(at + 8), head.readUInt32BE(at + 12))
    if (!best || found.width * found.height > best.width * best.height) best = found
  }
  return best
}

const HEADER_PARSERS = [parsePngHeader, parseGifHeader, parseJpegHeader, parseWebpHeader, parseAvifHeader]
const MAX_SIDE = 20_000

/** What a picture is, by its content rather than by its name; undefined of anything else, and of a drawing that can hold script. */
export function parseImageHeader(content: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const read of HEADER_PARSERS) {
    const found = tryParse(read, bytes)
    if (found && found.width > 0 && found.height > 0 && found.width <= MAX_SIDE && found.height <= MAX_SIDE)
      return found
  }
  return undefined
}

/** A file cut short ends before what it announces. */
function tryParse(read: (bytes: Buffer) => ImageHeader | undefined, bytes: Buffer) {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
