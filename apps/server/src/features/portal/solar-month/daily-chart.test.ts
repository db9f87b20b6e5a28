import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sanitizePng } from '../white-label/picture-png.ts'
import { DAILY_CHART_HEIGHT, DAILY_CHART_WIDTH, drawDailyBars } from './daily-chart.ts'

/** Decodes the pixels of the image with an independent PNG decoder. */
async function decoded(png: Buffer) {
  const read = await sanitizePng(png)
  expect(read).toMatchObject({ width: DAILY_CHART_WIDTH, height: DAILY_CHART_HEIGHT })
  const part = (type: string) => {
    const at = png.indexOf(type, 0, 'latin1')
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  }
  const [palette, rows] = [part('PLTE'), inflateSync(part('IDAT'))]
  return (x: number, y: number) => {
    const index = rows[y * (DAILY_CHART_WIDTH + 1) + 1 + x] ?? 0
    return palette.subarray(index * 3, index * 3 + 3).toString('hex')
  }
}
const WHITE = 'ffffff'
const GREY = '8a97a9'

test('draws a bar per day, with the local part in the company colour below the rest', async () => {
  const days = [
    { local: 500, rest: 500 },
    { local: 0, rest: 250 },
    { local: null, rest: null },
    { local: 1000, rest: 0 },
  ]
  const colour = await decoded(drawDailyBars(days, '#8A1C4A'))
  const middle = (at: number) => Math.round((at + 0.5) * (DAILY_CHART_WIDTH / 4))
  const low = DAILY_CHART_HEIGHT - 10
  expect(colour(middle(0), low)).toBe('8a1c4a')
  expect(colour(middle(0), 40)).toBe(GREY)
  expect(colour(middle(1), low)).toBe(GREY)
  expect(colour(middle(1), DAILY_CHART_HEIGHT / 2)).toBe(WHITE)
  expect(colour(middle(2), low)).toBe(WHITE)
  expect(colour(middle(3), 40)).toBe('8a1c4a')
  expect(colour(2, low)).toBe(WHITE)
})

test('draws an empty month, and darkens a colour too light to be seen', async () => {
  const colour = await decoded(drawDailyBars([{ local: 10, rest: 0 }], '#FFFFFE'))
  expect(colour(DAILY_CHART_WIDTH / 2, DAILY_CHART_HEIGHT - 10)).not.toMatch(/^f/)
  await decoded(drawDailyBars(Array(31).fill({ local: null, rest: null }), '#000000'))
})
