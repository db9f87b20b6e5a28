export type ImageHeader = { mediaType: string; extension: string; width: number; height: number }

const ascii = (bytes: Buffer, at: number, text: string) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text
const size = (mediaType: string, width: number, height: number): ImageHeader => ({
  mediaType,
  width,
  height,
  extension: mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length),
})

function png(bytes: Buffer) {
  if (!ascii(bytes, 0, '\x89PNG\r\n\x1a\n') || !ascii(bytes, 12, 'IHDR')) return undefined
  return size('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function gif(bytes: Buffer) {
  if (!ascii(bytes, 0, 'GIF87a') && !ascii(bytes, 0, 'GIF89a')) return undefined
  return size('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8))
}

/** Segments follow each other up to the one that begins a frame. */
function jpeg(bytes: Buffer) {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return size('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    if (marker === 0xff) at += 1
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

function webp(bytes: Buffer) {
  if (!ascii(bytes, 0, 'RIFF') || !ascii(bytes, 8, 'WEBP')) return undefined
  if (ascii(bytes, 12, 'VP8X')) return size('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (ascii(bytes, 12, 'VP8 '))
    return size('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (!ascii(bytes, 12, 'VP8L')) return undefined
  const packed = bytes.readUInt32LE(21)
  return size('image/webp', (packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1)
}

/** The size stands in a box named `ispe`; a picture made of several has one for each, the whole being the largest. */
function avif(bytes: Buffer) {
  if (!ascii(bytes, 4, 'ftyp')) return undefined
  const brands = bytes.subarray(8, Math.min(bytes.readUInt32BE(0), 200)).toString('latin1')
  if (!/avi[fs]/.test(brands)) return undefined
  const head = bytes.subarray(0, 100_000)
  let best: ImageHeader | undefined
  for (let at = head.indexOf('ispe'); at !== -1; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break
    const found = size('image/avif', head.readUInt32BE(at + 8), head.readUInt32BE(at + 12))
    if (!best || found.width * found.height > best.width * best.height) best = found
  }
  return best
}

const READERS = [png, gif, jpeg, webp, avif]
const MAX_SIDE = 20_000

/** What a picture is, by its content rather than by its name; undefined of anything else, and of a drawing that can hold script. */
export function readImageHeader(content: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (const read of READERS) {
    const found = attempt(read, bytes)
    if (found && found.width > 0 && found.height > 0 && found.width <= MAX_SIDE && found.height <= MAX_SIDE)
      return found
  }
  return undefined
}

/** A file cut short ends before what it announces. */
function attempt(read: (bytes: Buffer) => ImageHeader | undefined, bytes: Buffer) {
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
