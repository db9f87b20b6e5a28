import { crc32, deflateSync } from 'node:zlib'
import { MIN_INK_CONTRAST, parseHex, toTextTone } from '@voisol/contract/colour'
import { MAIL_IMAGE_WIDTH } from '../../identity/mail/index.ts'

/** Twice its displayed size, for high-density screens. */
export const DAILY_CHART_WIDTH = MAIL_IMAGE_WIDTH * 2
export const DAILY_CHART_HEIGHT = 320
const BASELINE_PIXELS = 4
const GAP_PIXELS = 4
const BAR_WIDTH_RATIO = 0.7

const [WHITE, LOCAL, REST, LINE] = [0, 1, 2, 3] as const
/** A grey with enough contrast on the page; a gap separates it from the company colour. */
const REST_COLOUR = '#8A97A9'
const LINE_COLOUR = '#475569'

/** Local and other energy of a day in Wh; null when unknown. */
export type DayBar = { local: number | null; rest: number | null }

const toRgb = (hex: string) => parseHex(hex) ?? { r: 0, g: 0, b: 0 }

/** One bar per day: local energy below, the rest above. */
export function drawDailyBars(days: DayBar[], colour: string): Buffer {
  const pixels = new Uint8Array(DAILY_CHART_WIDTH * DAILY_CHART_HEIGHT).fill(WHITE)
  const fill = (x: number, wide: number, top: number, bottom: number, index: number) => {
    for (let y = top; y < bottom; y++) pixels.fill(index, y * DAILY_CHART_WIDTH + x, y * DAILY_CHART_WIDTH + x + wide)
  }
  const ground = DAILY_CHART_HEIGHT - BASELINE_PIXELS
  fill(0, DAILY_CHART_WIDTH, ground, DAILY_CHART_HEIGHT, LINE)
  const maxWh = Math.max(...days.map(({ local, rest }) => (local ?? 0) + (rest ?? 0)), 1)
  const slot = DAILY_CHART_WIDTH / days.length
  const wide = Math.floor(slot * BAR_WIDTH_RATIO)
  const toPixels = (wh: number | null) => Math.round(((wh ?? 0) / maxWh) * (ground - GAP_PIXELS))
  for (const [at, { local, rest }] of days.entries()) {
    const x = Math.round(at * slot + (slot - wide) / 2)
    const middle = ground - toPixels(local)
    fill(x, wide, middle, ground, LOCAL)
    const top = middle - (local ? GAP_PIXELS : 0)
    fill(x, wide, Math.max(0, top - toPixels(rest)), top, REST)
  }
  const palette = ['#FFFFFF', toTextTone(colour, MIN_INK_CONTRAST), REST_COLOUR, LINE_COLOUR].map(toRgb)
  return encodeIndexedPng({ width: DAILY_CHART_WIDTH, height: DAILY_CHART_HEIGHT, palette, pixels })
}

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
function encodeIndexedPng({ width, height, palette, pixels }: IndexedImage): Buffer {
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
