import { type Bitmap, sanitizePng } from './picture-png.ts'

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
export async function sanitizeIco(bytes: Buffer): Promise<Bitmap | undefined> {
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
