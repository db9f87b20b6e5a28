import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BIT_DEPTH = 8
const INDEXED_COLOR_TYPE = 3

function buildChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** PNG scanlines: each row after a filter byte of 0 (no filter). */
function toScanlines(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return rows
}

type IndexedImage = {
  width: number
  height: number
  palette: { r: number; g: number; b: number }[]
  pixels: Uint8Array
}

/** Encodes an image with a palette, one byte per pixel. */
export function encodeIndexedPng({ width, height, palette, pixels }: IndexedImage): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([BIT_DEPTH, INDEXED_COLOR_TYPE], 8)
  return Buffer.concat([
    SIGNATURE,
    buildChunk('IHDR', head),
    buildChunk('PLTE', Buffer.from(palette.flatMap(({ r, g, b }) => [r, g, b]))),
    buildChunk('IDAT', deflateSync(toScanlines(pixels, width, height))),
    buildChunk('IEND', Buffer.alloc(0)),
  ])
}
