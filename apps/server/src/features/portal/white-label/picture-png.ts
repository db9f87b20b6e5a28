import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'

export type Bitmap = { width: number; height: number; content: Buffer }

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** What a still picture needs. The rest tells where and with what it was made, or moves. */
const KEPT_PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'pHYs', 'IDAT', 'IEND'])
const CHANNELS_BY_COLOR_TYPE: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
export const MAX_IMAGE_PIXELS = 4_000_000

type Chunk = { type: string; data: Buffer; whole: Buffer }

function parseChunks(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return undefined
}

/** How many bytes its rows unpack to; an interlaced one has a few more. */
const computeUnpackedSize = (width: number, height: number, bits: number) =>
  height * (1 + Math.ceil((width * bits) / 8))

/** Unpacked once, so that one that is cut short or swells beyond its size is not kept. */
async function hasExpectedSize(data: Buffer, size: number, interlaced: boolean): Promise<boolean> {
  try {
    const most = interlaced ? size * 2 + 1000 : size
    const raw = await promisify(inflate)(data, { maxOutputLength: most })
    return interlaced || raw.byteLength === size
  } catch {
    return false
  }
}

/** A PNG with nothing in it but the picture; undefined where it is none. */
export async function sanitizePng(bytes: Buffer): Promise<Bitmap | undefined> {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined
  const chunks = parseChunks(bytes)
  const head = chunks?.[0]
  if (!chunks || head?.type !== 'IHDR' || head.data.length !== 13) return undefined
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const channels = CHANNELS_BY_COLOR_TYPE[head.data.readUInt8(9)]
  if (!channels || !width || !height || width * height > MAX_IMAGE_PIXELS) return undefined
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
  const size = computeUnpackedSize(width, height, channels * head.data.readUInt8(8))
  if (!(await hasExpectedSize(data, size, head.data.readUInt8(12) === 1))) return undefined
  const kept = chunks.filter(({ type }) => KEPT_PNG_CHUNKS.has(type)).map(({ whole }) => whole)
  return { width, height, content: Buffer.concat([SIGNATURE, ...kept]) }
}
