import { addDays, listDays } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import type { ParsedSeries } from './curve-file-types.ts'
import { AUTUMN_CHANGE_DAY, countUpTo, encodeFixture, OTHER_PRM, PRM, SPRING_CHANGE_DAY } from './fixtures.ts'
import { parseCurveFile } from './parse-curve-file.ts'
import { streamR63 } from './r63-stream.ts'
import { createParseReport } from './raw-curves.ts'
import { buildR63, buildR63Rows, R63_HEADER } from './testing/r63-files.ts'

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = encodeFixture(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

async function stream(text: string, size = 1 << 20) {
  const report = createParseReport()
  const given: ParsedSeries[] = []
  const result = await streamR63(cut(text, size), report, (series) => void given.push(...series))
  return { ...result, report, given }
}

/** Watts by point, direction and day; a day given in parts is laid together. */
function gather(series: Pick<ParsedSeries, 'prm' | 'direction' | 'days'>[]) {
  const days = new Map<string, number[]>()
  for (const { prm, direction, days: some } of series)
    for (const { day, watts } of some) {
      const key = `${prm} ${direction} ${day}`
      const before = days.get(key)
      days.set(
        key,
        before ? before.map((value, at) => ((watts[at] ?? -1) < 0 ? value : (watts[at] ?? -1))) : [...watts],
      )
    }
  return Object.fromEntries([...days].sort())
}

const year = (prm: string, side = 'CONS') =>
  listDays('2025-03-01', '2025-11-15').map((day, d) =>
    buildR63Rows(prm, day, (n) => (d * 131 + n * 7) % 9000, side, 15),
  )

describe('an R63 read piece by piece', () => {
  test('gives what the whole file gives, wherever it is cut', async () => {
    const text = buildR63(...year(PRM), ...year(OTHER_PRM, 'PROD'))
    const whole = parseCurveFile('R63.csv', encodeFixture(text))
    const expected = gather(whole.series)
    // More than one piece of four megabytes, fed by sizes that fall anywhere in a row.
    expect(encodeFixture(text).length).toBeGreaterThan(4 << 20)
    for (const size of [977, 65_536, 1 << 23]) {
      const { given, readings, rows } = await stream(text, size)
      expect(gather(given)).toEqual(expected)
      expect([readings, rows]).toEqual([whole.detected.readings, whole.detected.rows])
    }
  })

  test.each([
    [SPRING_CHANGE_DAY, 46],
    [AUTUMN_CHANGE_DAY, 50],
  ])('%s has its %d half hours', async (day, steps) => {
    const { given } = await stream(
      buildR63(
        buildR63Rows(PRM, addDays(day, -1), (n) => n + 1),
        buildR63Rows(PRM, day, (n) => n + 1),
      ),
    )
    expect(gather(given)[`${PRM} consumption ${day}`]).toEqual(countUpTo(steps))
  })

  test('rows of two points in turn, and days in any order', async () => {
    const rows = [PRM, OTHER_PRM].flatMap((prm) =>
      ['2026-02-03', '2026-02-01', '2026-02-02'].flatMap((day) => buildR63Rows(prm, day, (n) => n + 1)),
    )
    const mixed = rows.map((row, n) => [(n * 7919) % rows.length, row] as const).sort(([a], [b]) => a - b)
    const { given } = await stream(buildR63(mixed.map(([, row]) => row)))
    const days = Object.values(gather(given))
    expect(days).toHaveLength(6)
    for (const watts of days) expect(watts).toEqual(countUpTo(48))
  })

  test('values that are written otherwise are read as well as the usual ones', async () => {
    const odd = ['12,5', '', '007', '-3', '1 234', '42']
    const rows = buildR63Rows(PRM, '2026-02-01', (n) => odd[n] ?? n)
    const { given, report } = await stream(buildR63(rows))
    expect(gather(given)[`${PRM} consumption 2026-02-01`]?.slice(0, 7)).toEqual([13, -1, 7, -1, 1234, 42, 6])
    expect(report.counts).toMatchObject({ negative: 1, rounded: 1 })
  })

  test('a mark in front, a file without its last line break, carriage returns', async () => {
    const text = `\ufeff${buildR63(buildR63Rows(PRM, '2026-02-01', (n) => n + 1))
      .trimEnd()
      .replaceAll('\n', '\r\n')}`
    expect(gather((await stream(text)).given)[`${PRM} consumption 2026-02-01`]).toEqual(countUpTo(48))
  })

  test('says why it cannot', async () => {
    await expect(stream('')).rejects.toThrow('vide')
    await expect(stream(`${R63_HEADER.replace('Unité', 'Autre')}\nx`)).rejects.toThrow('«\u00a0Unité\u00a0»')
    const bare = buildR63(buildR63Rows(PRM, '2026-02-01', () => 1)).replaceAll(';W;', ';;')
    await expect(stream(bare)).rejects.toThrow('unité')
    await expect(stream(`${R63_HEADER}${'x'.repeat(5 << 20)}`)).rejects.toThrow('démesurée')
  })
})

test('memory does not grow with the file', async () => {
  const block = encodeFixture(`${buildR63Rows(PRM, '2026-02-01', () => 100, 'CONS', 5).join('\n')}\n`)
  async function* endless(blocks: number) {
    yield encodeFixture(`${R63_HEADER}\n`)
    for (let n = 0; n < blocks; n++) yield block
  }
  const report = createParseReport()
  await streamR63(endless(200), report, () => undefined)
  const before = process.memoryUsage().rss
  let peak = before
  // Ninety megabytes; the same day again and again is the same day: what repeats is reported, not kept.
  const { rows } = await streamR63(endless(2500), report, () => {
    peak = Math.max(peak, process.memoryUsage().rss)
  })
  expect(rows).toBe(2500 * 288)
  expect((peak - before) / 2 ** 20).toBeLessThan(150)
})
