import { describe, expect, test } from 'vitest'
import type { CurveFileChoices } from './curve-file-types.ts'
import { buildDayStamps, formatParisClock, getWattsByDay, PRM, parseFixture, SPRING_CHANGE_DAY } from './fixtures.ts'

const table = (stamps: string[], cell: (n: number) => string, title = PRM) =>
  [`Horodate;${title}`, ...stamps.map((stamp, n) => `${stamp};${cell(n)}`), ''].join('\n')
const DAY = buildDayStamps('2026-02-02', 15, 'start', formatParisClock)
/** 367 Wh a quarter hour, spread unevenly. */
const kwh = (n: number) => `0,${367 + (n % 5) - 2}`
const listQuestions = (text: string, choices: CurveFileChoices = {}) =>
  parseFixture(text, 'x.csv', choices).questions.map(({ about, candidates }) => [
    about,
    candidates.map(({ value }) => value),
  ])
const listCandidates = (text: string, about: string, choices: CurveFileChoices = {}) =>
  parseFixture(text, 'x.csv', choices).questions.find((one) => one.about === about)?.candidates ?? []

describe('what the file does not say is asked', () => {
  test('unit, stamp and zone of a bare table, each with what it comes to', () => {
    const text = table(DAY, kwh)
    expect(listQuestions(text)).toEqual([
      ['unit', ['W', 'kW', 'Wh', 'kWh']],
      ['stamp', ['start', 'end']],
      ['zone', ['Europe/Paris', 'UTC', '+01:00']],
    ])
    expect(listCandidates(text, 'unit').map(({ series }) => series[0])).toEqual([
      { energyWh: 9, peakWatts: 0 },
      { energyWh: 8808, peakWatts: 369 },
      { energyWh: 35, peakWatts: 1 },
      { energyWh: 35230, peakWatts: 1476 },
    ])
  })

  test('an answer is no longer a question, and is followed', () => {
    const text = table(DAY, kwh)
    const all: CurveFileChoices = { unit: 'kWh', stamp: 'end', zone: '+01:00' }
    expect(listQuestions(text, { unit: 'kWh' }).map(([about]) => about)).toEqual(['stamp', 'zone'])
    const file = parseFixture(text, 'x.csv', all)
    expect(file.questions).toEqual([])
    expect(file.detected).toMatchObject({ unitCertain: true, stampCertain: true, zoneCertain: true, zone: '+01:00' })
    expect(getWattsByDay(file)['2026-02-01']?.at(-1)).toBe(1460)
  })

  test('not what it says: unit in the title, an offset in the stamps, a start', () => {
    const iso = DAY.map((stamp) => `${stamp.replace(' ', 'T')}+01:00`)
    expect(listQuestions(table(iso, kwh, `${PRM} (kWh)`).replace('Horodate', 'Début'))).toEqual([])
  })

  test('a spring day of 96 rows moves nothing: the three clocks are offered, with what each loses', () => {
    const rows = Array.from(
      { length: 96 },
      (_, n) => `${SPRING_CHANGE_DAY} ${String(n >> 2).padStart(2, '0')}:${(n % 4) * 15 || '00'}`,
    )
    const text = table(rows, (n) => `${n + 101}`)
    expect(parseFixture(text).detected.zoneCertain).toBe(false)
    expect(listCandidates(text, 'zone').map(({ value, lost }) => [value, lost])).toEqual([
      ['Europe/Paris', 4],
      ['UTC', 0],
      ['+01:00', 0],
    ])
    const fixed = parseFixture(text, 'x.csv', { zone: '+01:00', stamp: 'start', unit: 'W' })
    expect(getWattsByDay(fixed)[SPRING_CHANGE_DAY]?.slice(0, 2)).toEqual([101, 102])
    expect(fixed.series[0]?.days.map(({ day }) => day)).toEqual([SPRING_CHANGE_DAY, '2026-03-30'])
  })
})

describe('the step', () => {
  const rows = (minutes: number[]) =>
    minutes.map((m) => `2026-02-02 ${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)
  const text = (minutes: number[]) => table(rows(minutes), () => '600', `${PRM} (W)`)

  test('is asked where the distances differ: as found, or the finest with holes', () => {
    const mixed = [0, 60, 120, 180, 240, 300, 330, 360, 390, 420, 450]
    const [found, finest] = listCandidates(text(mixed), 'step', { stamp: 'end', zone: 'UTC' })
    expect([found, finest].map((one) => [one?.value, one?.series[0]?.energyWh])).toEqual([
      ['found', 5100],
      ['30', 3300],
    ])
    const chosen = parseFixture(text(mixed), 'x.csv', { step: 30, stamp: 'end' })
    expect(chosen.detected).toMatchObject({ steps: [30], stepCertain: true })
    expect(chosen.counts.gap).toBeGreaterThan(0)
    expect(parseFixture(text(mixed), 'x.csv', { step: 'found' }).detected).toMatchObject({
      steps: [30, 60],
      stepCertain: true,
    })
  })

  test('is asked where too few rows tell it', () => {
    expect(listCandidates(text([0, 60, 120]), 'step').map(({ value }) => value)).toEqual(['5', '10', '15', '30', '60'])
    expect(listCandidates(text([0, 60, 120, 180, 240]), 'step')).toEqual([])
  })
})
