import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BITS = 8
const INDEXED = 3

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Each row as it is, behind the mark of no filter. */
function rowsOf(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return rows
}

type Drawing = { width: number; height: number; palette: { r: number; g: number; b: number }[]; pixels: Uint8Array }

/** A picture of a few plain colours, a byte a pixel. */
export function indexedPng({ width, height, palette, pixels }: Drawing): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([BITS, INDEXED], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(({ r, g, b }) => [r, g, b]))),
    chunk('IDAT', deflateSync(rowsOf(pixels, width, height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
