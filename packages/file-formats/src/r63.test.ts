import { describe, expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisClock,
  getWattsByDay,
  listProblemCodes,
  OTHER_PRM,
  PRM,
  parseFixture,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'

const HEADER =
  'Identifiant PRM;Date de début;Date de fin;Grandeur physique;Grandeur métier;Etape métier;Unité;Horodate;Valeur;Nature;Pas;Indice de vraisemblance;Etat complémentaire'
type Row = {
  prm?: string
  physical?: string
  business?: string
  stage?: string
  nature?: string
  step?: string
  unit?: string
}
const row = (
  stamp: string,
  value: number | string,
  { prm = PRM, physical = 'PA', business = 'CONS', stage = 'BRUT', nature = 'B', step = 'PT30M', unit = 'W' }: Row = {},
) =>
  `${prm};2025-01-01 00:00:00;2027-01-01 00:00:00;${physical};${business};${stage};${unit};${stamp};${value};${nature};${step};0;0`
const r63 = (...rows: string[]) => parseFixture([HEADER, ...rows, ''].join('\n'))
const day = (name: string, step = 30, about: Row = {}) =>
  buildDayStamps(name, step, 'end', formatParisClock).map((stamp, n) =>
    row(stamp, n + 1, { step: `PT${step}M`, ...about }),
  )

test('a day stamped at the end of its half hours; the last one is the next midnight', () => {
  const file = r63(...day('2026-02-02'))
  expect(file.detected).toMatchObject({
    format: 'r63',
    unit: 'W',
    unitCertain: true,
    stamp: 'end',
    stampCertain: true,
    zone: 'Europe/Paris',
    zoneCertain: true,
    steps: [30],
    rows: 48,
    readings: 48,
    from: '2026-02-02',
    to: '2026-02-03',
    dstDays: [],
  })
  expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
  expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(48) })
  expect(file.problems).toEqual([])
})

describe('naive Paris time', () => {
  test('the long day has 02:00 and 02:30 twice: first summer, then winter time', () => {
    const rows = day(AUTUMN_CHANGE_DAY)
    expect(rows.filter((text) => /02:(00|30):00;/.test(text))).toHaveLength(4)
    const file = r63(...rows)
    expect(getWattsByDay(file)).toEqual({ [AUTUMN_CHANGE_DAY]: countUpTo(50) })
    expect(file.detected.dstDays).toEqual([AUTUMN_CHANGE_DAY])
    expect(file.problems).toEqual([])
  })

  test('a missing row of the first passage does not shift the second', () => {
    const rows = day(AUTUMN_CHANGE_DAY).filter((_, n) => n !== 4)
    const file = r63(...rows)
    const expected = countUpTo(50).map((value) => (value === 5 ? -1 : value))
    expect(getWattsByDay(file)).toEqual({ [AUTUMN_CHANGE_DAY]: expected })
    expect(listProblemCodes(file)).toEqual(['6 gap warning'])
  })

  test('a file from the last row to the first reads the same', () => {
    expect(getWattsByDay(r63(...day(AUTUMN_CHANGE_DAY).reverse()))).toEqual({ [AUTUMN_CHANGE_DAY]: countUpTo(50) })
  })

  test('the hole of spring is expected', () => {
    const file = r63(...day(SPRING_CHANGE_DAY))
    expect(getWattsByDay(file)).toEqual({ [SPRING_CHANGE_DAY]: countUpTo(46) })
    expect(file.problems).toEqual([])
  })

  test('a time inside that hole does not exist', () => {
    const file = r63(...day(SPRING_CHANGE_DAY), row(`${SPRING_CHANGE_DAY} 02:30:00`, 9))
    expect(listProblemCodes(file)).toEqual(['48 unreadable error'])
    expect(file.problems[0]?.message).toContain('02:30 n’existe pas')
  })
})

test('several points, directions and steps in one file', () => {
  const file = r63(...day('2026-02-02'), ...day('2026-02-02', 5, { prm: OTHER_PRM, business: 'PROD' }))
  expect(file.series.map(({ prm, direction, days }) => [prm, direction, days[0]?.step])).toEqual([
    [PRM, 'consumption', 30],
    [OTHER_PRM, 'production', 5],
  ])
  expect(file.detected.steps).toEqual([5, 30])
})

test('the corrected value of an interval goes before the raw one, whatever their order', () => {
  const file = r63(row('2026-02-02 00:30:00', 100), row('2026-02-02 00:30:00', 90, { stage: 'BEST' }))
  expect(getWattsByDay(file)['2026-02-02']?.[0]).toBe(90)
  expect(file.series[0]?.days[0]?.quality[0]).toBe(2)
  expect(listProblemCodes(file)).toEqual(['2 duplicate warning'])
})

test('estimated values are marked', () => {
  expect(r63(row('2026-02-02 00:30:00', 100, { nature: 'E' })).series[0]?.days[0]?.quality[0]).toBe(3)
})

test('an empty value is a hole, and its quality is missing', () => {
  const file = r63(row('2026-02-02 00:30:00', 1), row('2026-02-02 01:00:00', ''), row('2026-02-02 01:30:00', 3))
  expect(getWattsByDay(file)['2026-02-02']?.slice(0, 4)).toEqual([1, -1, 3, -1])
  expect([...(file.series[0]?.days[0]?.quality.slice(0, 4) ?? [])]).toEqual([1, 0, 1, 0])
  expect(listProblemCodes(file)).toEqual(['3 gap warning'])
})

test('rows that cannot be used are told one by one', () => {
  const file = r63(
    row('2026-02-02 00:30:00', 1),
    row('2026-02-02 01:00:00', 2, { prm: '123' }),
    row('2026-02-02 01:00:00', 2, { step: 'PT7M' }),
    row('2026-02-02 01:00:00', 2, { unit: 'kW' }),
    row('02-2026 01:00', 2),
    row('2026-02-02 01:00:00', 'abc'),
    row('2026-02-02 01:30:00', 2, { physical: 'PRI' }),
    `${PRM};2025-01-01`,
  )
  expect(listProblemCodes(file)).toEqual([
    '1 unreadable warning',
    '3 bad-prm error',
    '4 off-step error',
    '5 unreadable error',
    '6 unreadable error',
    '7 unreadable error',
    '7 gap warning',
    '9 unreadable error',
  ])
  expect(file.detected.readings).toBe(1)
})
