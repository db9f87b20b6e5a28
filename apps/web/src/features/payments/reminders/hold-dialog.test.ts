import { expect, test } from 'vitest'
import { HoldForm, splitIntoInstalments } from './hold-dialog.tsx'

test('a schedule is the whole sum, to the cent, a month apart', () => {
  expect(splitIntoInstalments(10_000, 3, '2026-12-31')).toEqual([
    { on: '2026-12-31', amount: 3334 },
    { on: '2027-01-31', amount: 3333 },
    { on: '2027-02-28', amount: 3333 },
  ])
})

test('each kind asks for what it needs', () => {
  const form = { kind: 'dispute', reason: '', on: '', count: '' }
  const fields = (more: object) => HoldForm.safeParse({ ...form, ...more }).error?.issues.map(({ path }) => path[0])
  expect(fields({})).toEqual(['reason'])
  expect(fields({ kind: 'promise' })).toEqual(['on'])
  expect(fields({ kind: 'schedule', on: '2027-01-04', count: '37' })).toEqual(['count'])
  expect(fields({ kind: 'schedule', on: '2027-01-04', count: '12' })).toBeUndefined()
})
