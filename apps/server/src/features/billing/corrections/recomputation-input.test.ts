import { expect, test } from 'vitest'
import { buildMember, buildOctober } from '../../../../../../packages/money/src/month/testing/small-month.ts'
import { buildRecomputationInput } from './correction-proposal.ts'

const indexed = (value: string, price = 1_237) => [
  {
    from: '2025-01-01',
    to: null,
    rules: [{ id: 'base', price, index: { base: '100', values: [{ from: '2025-01-01', value }] } }],
  },
]

test('recomputes the month with a corrected price of a past day', () => {
  const now = buildOctober({ tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'base', price: 1_189 }] }] })
  expect(buildRecomputationInput(buildOctober(), now).tariffs).toEqual(now.tariffs)
})

test('keeps the index values of the close when the index is revised later', () => {
  const tariffs = buildRecomputationInput(
    buildOctober({ tariffs: indexed('103.7') }),
    buildOctober({ tariffs: indexed('111.2', 1_189) }),
  ).tariffs
  expect(tariffs).toEqual(indexed('103.7', 1_189))
})

test('keeps the pricing attributes of billed members and takes new members as today', () => {
  const before = buildOctober({ members: [{ ...buildMember(1), group: 'social', kva: 6 }] })
  const now = buildOctober({
    members: [{ ...buildMember(1), to: '2026-10-20', group: 'other', kva: 9 }, buildMember(2)],
  })
  expect(buildRecomputationInput(before, now).members).toEqual([
    { ...buildMember(1), to: '2026-10-20', group: 'social', kva: 6 },
    buildMember(2),
  ])
})
