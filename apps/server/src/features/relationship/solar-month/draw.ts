import { INK_CONTRAST, inkTone, parseHex } from '@voisol/contract/colour'
import { PICTURE_WIDTH } from '../../people/mail/mail.ts'
import { indexedPng } from './png.ts'

/** Twice its size on a page, for sharp screens. */
export const WIDTH = PICTURE_WIDTH * 2
export const HEIGHT = 320
const BASE = 4
const GAP = 4
const BAR = 0.7

const [WHITE, LOCAL, REST, LINE] = [0, 1, 2, 3] as const
/** The rest stands out from the page as a mark must, and is never taken for the company's colour: it lies above a gap. */
const REST_COLOUR = '#8A97A9'
const LINE_COLOUR = '#475569'

/** What was local of a day and what was not, in Wh; null where nothing is known. */
export type DayBar = { local: number | null; rest: number | null }

const rgb = (hex: string) => parseHex(hex) ?? { r: 0, g: 0, b: 0 }

/** A bar a day: what was local from the ground up, the rest above it. */
export function drawDays(days: DayBar[], colour: string): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(WHITE)
  const fill = (x: number, wide: number, top: number, bottom: number, index: number) => {
    for (let y = top; y < bottom; y++) pixels.fill(index, y * WIDTH + x, y * WIDTH + x + wide)
  }
  const ground = HEIGHT - BASE
  fill(0, WIDTH, ground, HEIGHT, LINE)
  const most = Math.max(...days.map(({ local, rest }) => (local ?? 0) + (rest ?? 0)), 1)
  const slot = WIDTH / days.length
  const wide = Math.floor(slot * BAR)
  const tall = (wh: number | null) => Math.round(((wh ?? 0) / most) * (ground - GAP))
  for (const [at, { local, rest }] of days.entries()) {
    const x = Math.round(at * slot + (slot - wide) / 2)
    const middle = ground - tall(local)
    fill(x, wide, middle, ground, LOCAL)
    const top = middle - (local ? GAP : 0)
    fill(x, wide, Math.max(0, top - tall(rest)), top, REST)
  }
  const palette = ['#FFFFFF', inkTone(colour, INK_CONTRAST), REST_COLOUR, LINE_COLOUR].map(rgb)
  return indexedPng({ width: WIDTH, height: HEIGHT, palette, pixels })
}
