import { type Bitmap, MAX_IMAGE_PIXELS } from './picture-png.ts'

const readTag = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)
const KEPT_CHUNKS = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L'])
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
export async function sanitizeWebp(bytes: Buffer): Promise<Bitmap | undefined> {
  if (bytes.length < 30 || readTag(bytes, 0) !== 'RIFF' || readTag(bytes, 8) !== 'WEBP') return undefined
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let coded = false
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [type, length] = [readTag(bytes, at), bytes.readUInt32LE(at + 4)]
    const data = Buffer.from(bytes.subarray(at + 8, at + 8 + length))
    if (data.length < length) return undefined
    if (KEPT_CHUNKS.has(type) && length >= 10) {
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
