import { describe, expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisClock,
  formatParisIso,
  getWattsByDay,
  listProblemCodes,
  OTHER_PRM,
  PRM,
  parseFixture,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'

const table = (stamps: string[], cell: (n: number) => string, header = `Horodate;${PRM};${OTHER_PRM}`) =>
  [header, ...stamps.map((stamp, n) => `${stamp};${cell(n)}`), ''].join('\n')
const both = (n: number) => `${n + 1};${n + 101}`

describe.each([
  ['naive', formatParisClock],
  ['with an offset', formatParisIso],
] as const)('a table of points, %s', (_, write) => {
  test.each([
    ['2026-02-02', 15, 'start', 96],
    ['2026-02-02', 15, 'end', 96],
    [SPRING_CHANGE_DAY, 15, 'start', 92],
    [SPRING_CHANGE_DAY, 30, 'end', 46],
    [AUTUMN_CHANGE_DAY, 15, 'start', 100],
    [AUTUMN_CHANGE_DAY, 60, 'end', 25],
  ] as const)('%s at %d minutes, stamped at the %s', (day, step, stamp, steps) => {
    const file = parseFixture(table(buildDayStamps(day, step, stamp, write), both))
    expect(file.detected).toMatchObject({
      format: 'wide',
      stamp,
      stampCertain: false,
      steps: [step],
      rows: steps,
      readings: steps * 2,
    })
    expect(file.series.map((one) => one.prm)).toEqual([PRM, OTHER_PRM])
    expect(getWattsByDay(file)).toEqual({ [day]: countUpTo(steps) })
    expect(getWattsByDay(file, 1)).toEqual({ [day]: countUpTo(steps).map((value) => value + 100) })
    expect(file.problems).toEqual([])
  })
})

test('the wall clock tells its zone on the two days that change it', () => {
  const utc = (minute: number) => new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  expect(
    parseFixture(table(buildDayStamps(AUTUMN_CHANGE_DAY, 30, 'start', formatParisClock), both)).detected,
  ).toMatchObject({
    zone: 'Europe/Paris',
    zoneCertain: true,
  })
  expect(parseFixture(table(buildDayStamps('2026-02-02', 30, 'start', formatParisClock), both)).detected).toMatchObject(
    {
      zone: 'Europe/Paris',
      zoneCertain: false,
    },
  )
  const spring = parseFixture(table(buildDayStamps(SPRING_CHANGE_DAY, 30, 'start', utc), both), 'x.csv', {
    stamp: 'start',
  })
  expect(spring.detected).toMatchObject({ zone: 'UTC', zoneCertain: false })
  expect(getWattsByDay(spring)).toEqual({ [SPRING_CHANGE_DAY]: countUpTo(46) })
  const chosen = parseFixture(table(buildDayStamps('2026-02-02', 30, 'start', utc), both), 'x.csv', {
    zone: 'UTC',
    stamp: 'start',
  })
  expect(getWattsByDay(chosen)).toEqual({ '2026-02-02': countUpTo(48) })
})

test('French dates, decimal commas, quotes, a sep= line and a trailing separator', () => {
  const text = `sep=;\r\n"Horodate";"${PRM} (kW)";\r\n02/02/2026 00:00;"1,5";\r\n02/02/2026 00:15;0,0005;\r\n`
  const file = parseFixture(text)
  expect(file.detected).toMatchObject({ format: 'wide', unit: 'kW', unitCertain: true, steps: [15], rows: 2 })
  expect(getWattsByDay(file)['2026-02-02']?.slice(0, 3)).toEqual([1500, 1, -1])
  expect(listProblemCodes(file)).toEqual(['4 rounded warning'])
})

test('commas and tabs part columns as well', () => {
  const rows = (separator: string) =>
    [
      ['Horodate', PRM],
      ['2026-02-02 00:00', '1.5'],
      ['2026-02-02 00:15', '2'],
    ]
      .map((row) => row.join(separator))
      .join('\n')
  for (const separator of [',', '\t']) {
    const file = parseFixture(rows(separator))
    expect(file.detected).toMatchObject({ unit: 'kW', unitCertain: false })
    expect(getWattsByDay(file)['2026-02-02']?.slice(0, 2)).toEqual([1500, 2000])
  }
})

test.each([
  ['W', '100', 100],
  ['kW', '1,5', 1500],
  ['Wh', '25', 100],
  ['kWh', '0,123', 492],
] as const)('a quarter hour of %s', (unit, value, watts) => {
  const stamps = buildDayStamps('2026-02-02', 15, 'start', formatParisClock).slice(0, 2)
  const file = parseFixture(
    table(stamps, () => `${value};`),
    'x.csv',
    { unit },
  )
  expect(getWattsByDay(file)['2026-02-02']?.[0]).toBe(watts)
  expect(file.detected).toMatchObject({ unit, unitCertain: true })
})

test('what is not a whole number of watts is rounded half up, and counted', () => {
  const stamps = buildDayStamps('2026-02-02', 30, 'start', formatParisClock).slice(0, 4)
  const values = ['0,12325', '0,1231', '1.0005', '0,123']
  const file = parseFixture(table(stamps, (n) => `${values[n]}`, `Horodate;${PRM} kWh`))
  expect(getWattsByDay(file)['2026-02-02']?.slice(0, 4)).toEqual([247, 246, 2001, 246])
  expect(file.counts).toEqual({ rounded: 2 })
  expect(file.problems).toMatchObject([
    {
      line: 2,
      severity: 'warning',
      message:
        '2 valeurs plus fines que le watt, à partir de la ligne 2\u00a0: le reste est reporté de pas en pas dans la journée (écart total de +0,00015\u00a0kWh).',
    },
  ])
})

test('wrong columns and rows are told, the others are read', () => {
  const file = parseFixture(
    `Horodate;${PRM};ABC;${PRM};${OTHER_PRM} production\n2026-02-02 00:00;1;2;3;4\n2026-02-02 00:15;1\n2026-02-02 00:15;1;2;3;x`,
  )
  expect(file.series.map(({ prm, direction }) => [prm, direction])).toEqual([
    [PRM, null],
    [OTHER_PRM, 'production'],
  ])
  expect(listProblemCodes(file)).toEqual([
    '1 bad-prm error',
    '1 bad-prm error',
    '3 unreadable error',
    '4 unreadable error',
    '4 gap warning',
  ])
})

describe('a single point', () => {
  const text = table(buildDayStamps('2026-02-02', 15, 'start', formatParisClock), (n) => `${n + 1}`, 'Horodate;Valeur')
  test('is named by the file', () => {
    const file = parseFixture(text, `courbe_${OTHER_PRM}_2026.csv`)
    expect(file.detected.format).toBe('single')
    expect(file.series).toMatchObject([{ prm: OTHER_PRM, direction: null }])
    expect(getWattsByDay(file)).toEqual({ '2026-02-02': countUpTo(96) })
  })

  test('or is asked for, with its direction', () => {
    expect(listProblemCodes(parseFixture(text))).toEqual(['1 bad-prm error'])
    expect(parseFixture(text, 'x.csv', { prm: PRM, direction: 'production' }).series).toMatchObject([
      { prm: PRM, direction: 'production' },
    ])
    expect(() => parseFixture(text, 'x.csv', { prm: '12' })).toThrow('14 chiffres')
  })

  test('may have no header', () => {
    expect(getWattsByDay(parseFixture(text.replace('Horodate;Valeur\n', ''), `${PRM}.csv`))).toEqual({
      '2026-02-02': countUpTo(96),
    })
  })
})

test('the table written for spreadsheets comes back: a start, summer or winter beside it, kW', () => {
  const stamps = buildDayStamps(AUTUMN_CHANGE_DAY, 30, 'start', formatParisClock).map(
    (clock) => `${clock.slice(8, 10)}/10/2025 ${clock.slice(11, 16)};été`,
  )
  const file = parseFixture(
    table(stamps, (n) => `${n / 1000}`.replace('.', ','), `Début;Heure légale;${PRM} consommation (kW)`),
  )
  expect(file.detected).toMatchObject({
    stamp: 'start',
    stampCertain: true,
    unit: 'kW',
    unitCertain: true,
    zone: 'Europe/Paris',
  })
  expect(file.series).toMatchObject([{ prm: PRM, direction: 'consumption' }])
  expect(getWattsByDay(file)).toEqual({ [AUTUMN_CHANGE_DAY]: countUpTo(50).map((value) => value - 1) })
  expect(file.problems).toEqual([])
})
