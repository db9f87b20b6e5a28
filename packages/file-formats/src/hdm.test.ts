import { expect, test } from 'vitest'
import {
  AUTUMN_CHANGE_DAY,
  buildDayStamps,
  countUpTo,
  formatParisIso,
  getWattsByDay,
  listProblemCodes,
  OTHER_PRM,
  PRM,
  parseFixture,
  SPRING_CHANGE_DAY,
} from './fixtures.ts'
import { parseCurveFile } from './parse-curve-file.ts'

const HEADER =
  'Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Grandeur metier;Etape metier;Unite;Pas en minutes'
const section = (rows: string[], prm = PRM, unit = 'W', kind = 'Courbe de charge') =>
  [
    HEADER,
    `${prm};${kind};02/02/2026;03/02/2026;Energie active;Consommation;Comptage Brut;${unit};`,
    'Horodate;Valeur',
    ...rows,
  ].join('\r\n')
const day = (name: string, step: number, stamp: 'start' | 'end') =>
  buildDayStamps(name, step, stamp, formatParisIso).map((at, n) => `${at};${n + 1}`)

test.each([
  ['2026-02-02', 10, 'start', 144],
  ['2026-02-02', 30, 'end', 48],
  [SPRING_CHANGE_DAY, 10, 'start', 138],
  [SPRING_CHANGE_DAY, 30, 'end', 46],
  [AUTUMN_CHANGE_DAY, 10, 'start', 150],
  [AUTUMN_CHANGE_DAY, 60, 'end', 25],
] as const)('%s at %d minutes, stamped at the %s: the first and last stamps tell', (name, step, stamp, steps) => {
  const file = parseFixture(`\ufeff${section(day(name, step, stamp))}\r\n`)
  expect(file.detected).toMatchObject({ format: 'hdm', stamp, stampCertain: true, zone: 'offset', steps: [step] })
  expect(getWattsByDay(file)).toEqual({ [name]: countUpTo(steps) })
  expect(file.problems).toEqual([])
})

test('a part of a day leaves the convention uncertain: the end is usual, and the person may choose', () => {
  const text = section(day('2026-02-02', 30, 'end').slice(10, 20))
  expect(parseFixture(text).detected).toMatchObject({ stamp: 'end', stampCertain: false })
  const chosen = parseFixture(text, 'x.csv', { stamp: 'start' })
  expect(chosen.detected).toMatchObject({ stamp: 'start', stampCertain: true })
  expect(getWattsByDay(chosen)['2026-02-02']?.[11]).toBe(11)
})

test('an unnamed unit is watts, uncertain; a chosen one is not', () => {
  const rows = ['2026-02-02T00:30:00+01:00;1,5', '2026-02-02T01:00:00+01:00;2']
  expect(parseFixture(section(day('2026-02-02', 30, 'end'), PRM, '')).detected).toMatchObject({
    unit: 'W',
    unitCertain: false,
  })
  expect(
    getWattsByDay(parseFixture(section(rows, PRM, ''), 'x.csv', { unit: 'kW' }))['2026-02-02']?.slice(0, 2),
  ).toEqual([1500, 2000])
})

test('sections of several points; those of index are passed over', () => {
  const index = section(['2026-02-02T00:00:00+01:00;4404'], PRM, '', 'Index')
  const file = parseFixture(
    [index, section(day('2026-02-02', 30, 'end')), section(day('2026-02-03', 30, 'end'), OTHER_PRM)].join('\n'),
  )
  expect(file.series.map(({ prm, days }) => [prm, days.map((one) => one.day)])).toEqual([
    [PRM, ['2026-02-02']],
    [OTHER_PRM, ['2026-02-03']],
  ])
  expect(() => parseFixture(index)).toThrow(
    'Cet historique ne contient pas de courbe de charge\u00a0: «\u00a0Index\u00a0»',
  )
})

test('the customer space hides the point: it is asked for', () => {
  const text = section(day('2026-02-02', 30, 'end'), '1429xxxxxxxxxx')
  const file = parseFixture(text, 'Enedis_Conso_Heure_20260202-20260203.csv')
  expect(file.detected.format).toBe('customer-csv')
  expect(file.series[0]?.prm).toBe('')
  expect(listProblemCodes(file)).toEqual(['2 bad-prm error'])
  expect(parseFixture(text, 'x.csv', { prm: OTHER_PRM }).series[0]?.prm).toBe(OTHER_PRM)
  expect(parseFixture(section(day('2026-02-02', 30, 'end')), 'x.csv', { prm: OTHER_PRM }).series[0]?.prm).toBe(PRM)
})

test.each([
  ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ['utf-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['utf-16', (text: string) => Buffer.from(text, 'utf16le')],
] as const)('reads %s', (encoding, encode) => {
  const text = section(day('2026-02-02', 30, 'end')).replace('Energie', 'Énergie')
  const file = parseCurveFile('x.csv', encode(text))
  expect(file.detected).toMatchObject({ encoding, readings: 48 })
})

test('a day whose step changes is kept at the finer step, its coarser values repeated', () => {
  const hourly = buildDayStamps('2026-02-02', 60, 'end', formatParisIso).slice(0, 12)
  const halves = buildDayStamps('2026-02-02', 30, 'end', formatParisIso).slice(24)
  const file = parseFixture(section([...hourly, ...halves].map((at, n) => `${at};${n + 1}`)))
  expect(file.detected.steps).toEqual([30, 60])
  expect(file.series[0]?.days[0]?.step).toBe(30)
  const expected = [...countUpTo(12).flatMap((value) => [value, value]), ...countUpTo(24).map((value) => value + 12)]
  expect(getWattsByDay(file)).toEqual({ '2026-02-02': expected })
})

test('a row that lacks is a hole, not a longer step', () => {
  const file = parseFixture(section(day('2026-02-02', 30, 'end').filter((_, n) => n !== 20)))
  expect(file.detected.steps).toEqual([30])
  expect(getWattsByDay(file)['2026-02-02']?.slice(19, 22)).toEqual([20, -1, 22])
  expect(file.problems).toMatchObject([
    { code: 'gap', message: 'Du 02/02/2026 à 10:00 au 02/02/2026 à 10:30, 1 pas sans valeur.' },
  ])
})
