import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatMeterLine, formatPointName, toMeters } from './energy-labels.ts'

test('a point is its dwelling and its holder, else its number', () => {
  const prm = '19125759625988'
  expect(formatPointName({ label: 'Appartement 301', participantName: 'Mme Durand', prm })).toBe(
    'Appartement 301, Mme Durand',
  )
  expect(formatPointName({ label: '', participantName: 'Mme Durand', prm })).toBe('Mme Durand')
  expect(formatPointName({ label: 'Cave', prm })).toBe('Cave')
  expect(formatPointName({ label: '', participantName: '', prm })).toBe('19\u202f125\u202f759\u202f625\u202f988')
})

test('a battery charges and releases, and is one meter', () => {
  const [charge, release] = (['consumption', 'production'] as const).map((direction) => ({
    direction,
    storage: true,
    prm: '19125759625988',
  }))
  const home = { direction: 'production' as const, storage: false, prm: '19125759625989' }
  expect(toMeters([charge, release, home].flatMap((one) => one ?? []))).toEqual([charge, home])
  expect(release && formatMeterLine(release)).toBe('19\u202f125\u202f759\u202f625\u202f988 · décharge (batterie)')
  expect(formatMeterLine(home)).toMatch(/· production$/)
})

const SRC = new URL('../', import.meta.url)
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, SRC), 'utf8') }))
const holding = (pattern: RegExp, but: string[]) =>
  files.filter(({ name, text }) => pattern.test(text) && !but.includes(name)).map(({ name }) => name)

test('no screen makes up a point’s name of its own', () => {
  expect(holding(/(label|participantName) \|\| (`PRM |prm\()/, ['features/energy/allocation/use-members.ts'])).toEqual(
    [],
  )
})

test('what a point counts is said by `sideWord`: it knows a battery', () => {
  // A point that the distributor lists and we do not know may be anything.
  const unknown = [
    'features/energy/operations/detail/distributor-tab.tsx',
    'features/energy/operations/wizard/steps/consumers.tsx',
  ]
  expect(holding(/(?<![A-Z_])DIRECTIONS\[/, ['lib/energy-labels.ts', ...unknown])).toEqual([])
})
