import { expect, test } from 'vitest'
import { member, october } from '../../../../../../packages/money/src/month/testing/small-month.ts'
import { blend } from './blend.ts'

const indexed = (value: string, price = 1_237) => [
  {
    from: '2025-01-01',
    to: null,
    rules: [{ id: 'base', price, index: { base: '100', values: [{ from: '2025-01-01', value }] } }],
  },
]

test('a price of a past day that was put right is the one the month is computed with again', () => {
  const now = october({ tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'base', price: 1_189 }] }] })
  expect(blend(october(), now).tariffs).toEqual(now.tariffs)
})

test('an index that was revised later is not: its values stay those of the close', () => {
  const tariffs = blend(october({ tariffs: indexed('103.7') }), october({ tariffs: indexed('111.2', 1_189) })).tariffs
  expect(tariffs).toEqual(indexed('103.7', 1_189))
})

test('who a member is to a price stays as it was billed, who came since is as today', () => {
  const before = october({ members: [{ ...member(1), group: 'social', kva: 6 }] })
  const now = october({ members: [{ ...member(1), to: '2026-10-20', group: 'other', kva: 9 }, member(2)] })
  expect(blend(before, now).members).toEqual([{ ...member(1), to: '2026-10-20', group: 'social', kva: 6 }, member(2)])
})
