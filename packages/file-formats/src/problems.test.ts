import { expect, test } from 'vitest'
import { getWattsByDay, listProblemCodes, PRM, parseFixture } from './fixtures.ts'

const at = (text: string) => `2026-02-02 ${text}`
const file = (...rows: [string, string | number][]) =>
  parseFixture([`Horodate;${PRM}`, ...rows.map(([stamp, value]) => `${at(stamp)};${value}`)].join('\n'))
const first = (count: number, parsed: ReturnType<typeof file>) => getWattsByDay(parsed)['2026-02-02']?.slice(0, count)

test('the same reading twice is ignored', () => {
  const parsed = file(['00:00', 1], ['00:15', 2], ['00:15', 2], ['00:30', 3])
  expect(listProblemCodes(parsed)).toEqual(['4 duplicate warning'])
  expect(first(3, parsed)).toEqual([1, 2, 3])
})

test('of two readings that differ the first is kept, and it is an error', () => {
  const parsed = file(['00:00', 1], ['00:15', 2], ['00:15', 9], ['00:30', 3])
  expect(parsed.problems).toEqual([
    {
      line: 4,
      code: 'conflict',
      severity: 'error',
      prm: PRM,
      message: 'Ligne 4\u00a0: le 02/02/2026 à 00:15 vaut 9, mais 2 à la ligne 3. La première valeur est gardée.',
    },
  ])
  expect(first(3, parsed)).toEqual([1, 2, 3])
})

test('intervals that overlap', () => {
  const header = 'Identifiant PRM;Horodate;Valeur;Pas;Unité;Etape métier'
  const parsed = parseFixture(
    [header, `${PRM};${at('00:30:00')};1;PT30M;W;BRUT`, `${PRM};${at('01:00:00')};2;PT60M;W;BRUT`].join('\n'),
  )
  expect(listProblemCodes(parsed)).toEqual(['3 overlap error'])
  expect(first(2, parsed)).toEqual([1, -1])
})

test('negative values leave a hole', () => {
  const parsed = file(['00:00', 1], ['00:15', -2], ['00:30', 3])
  expect(listProblemCodes(parsed)).toEqual(['3 negative error', '3 gap warning'])
  expect(first(3, parsed)).toEqual([1, -1, 3])
})

test('so do values beyond any point', () => {
  const parsed = file(['00:00', 1], ['00:15', 30_000_001], ['00:30', 30_000_000])
  expect(listProblemCodes(parsed)).toEqual(['3 impossible error', '3 gap warning'])
  expect(first(3, parsed)).toEqual([1, -1, 30_000_000])
})

test('stamps off the step', () => {
  const parsed = file(['00:00', 1], ['00:15', 2], ['00:22', 7], ['00:30', 3], ['00:45', 4], ['00:50:30', 5])
  expect(listProblemCodes(parsed)).toContain('4 off-step error')
  expect(listProblemCodes(parsed)).toContain('7 off-step error')
  expect(first(4, parsed)).toEqual([1, 2, 3, 4])
})

test('one reading alone has no step', () => {
  expect(() => file(['00:00', 1])).toThrow('le pas de temps ne peut pas être établi')
})

test('a hole of several steps is one range', () => {
  const parsed = file(
    ['00:00', 1],
    ['00:15', 1],
    ['00:30', ''],
    ['00:45', 1],
    ['02:00', 2],
    ['02:15', 2],
    ['02:30', ''],
  )
  expect(parsed.problems.map(({ message }) => message)).toEqual([
    'Du 02/02/2026 à 00:30 au 02/02/2026 à 00:45, 1 pas sans valeur.',
    'Du 02/02/2026 à 01:00 au 02/02/2026 à 02:00, 4 pas sans valeur.',
    'Du 02/02/2026 à 02:30 au 02/02/2026 à 02:45, 1 pas sans valeur.',
  ])
  expect(parsed.counts).toEqual({ gap: 3 })
})

test('five hundred problems are shown, all of them are counted', () => {
  const rows = Array.from({ length: 700 }, () => `${at('00:15')};1`)
  const parsed = parseFixture([`Horodate;${PRM}`, `${at('00:00')};1`, ...rows].join('\n'))
  expect(parsed.problems).toHaveLength(500)
  expect(parsed.counts).toEqual({ duplicate: 699 })
})

test('a table in any order reads the same', () => {
  const parsed = file(['00:45', 4], ['00:00', 1], ['00:30', 3], ['00:15', 2])
  expect(first(4, parsed)).toEqual([1, 2, 3, 4])
  expect(parsed.problems).toEqual([])
})
