import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeCollection, computeDunningLevel, computeInterestCents } from './collection.ts'
import { offsetCreditNotes, reopenItems, settleOpenItems } from './settlement.ts'

test('a debit comes after the due date and the notice, on an open bank day', () => {
  const terms = { issued: '2027-03-12', term: 14, notified: '2027-03-12', notice: 14, lead: 2 }
  // Good Friday, the weekend and Easter Monday are skipped.
  expect(computeCollection(terms)).toEqual({ due: '2027-03-26', collection: '2027-03-30', submitBy: '2027-03-24' })
  expect(computeCollection({ ...terms, notified: '2027-03-20', lead: 1 })).toEqual({
    due: '2027-03-26',
    collection: '2027-04-05',
    submitBy: '2027-04-02',
  })
})

test('interest is rounded once over all periods', () => {
  const spans = [
    { days: 40, rateBp: 1_240 },
    { days: 23, rateBp: 1_215 },
  ]
  expect(computeInterestCents(12_345, spans)).toBe(262)
  expect(
    computeInterestCents(33, [
      { days: 73, rateBp: 1_240 },
      { days: 73, rateBp: 1_240 },
    ]),
  ).toBe(2)
  expect(computeInterestCents(33, [{ days: 73, rateBp: 1_240 }])).toBe(1)
})

const item = fc.record({
  number: fc.integer({ min: 1, max: 60 }).map((at) => `F-${at}`),
  due: fc.integer({ min: 1, max: 28 }).map((day) => `2026-09-${String(day).padStart(2, '0')}`),
  open: fc.integer({ min: 0, max: 9_999 }),
})
const items = fc.uniqueArray(item, { selector: ({ number }) => number, maxLength: 12 })

test('a payment goes to what it names, then to the oldest due, then by number', () => {
  const open = [
    { number: 'F-3', due: '2026-10-20', open: 1 },
    { number: 'F-2', due: '2026-10-20', open: 3_999 },
    { number: 'F-1', due: '2026-11-20', open: 4_210 },
  ]
  expect(settleOpenItems(open, { amount: 4_003, references: ['F-1', 'F-9'] })).toEqual({
    allocations: [{ number: 'F-1', amount: 4_003 }],
    advance: 0,
  })
  expect(settleOpenItems(open, { amount: 4_001, references: [] }).allocations.map(({ number }) => number)).toEqual([
    'F-2',
    'F-3',
    'F-1',
  ])
  expect(settleOpenItems(open, { amount: 9_000, references: ['F-3', 'F-3'] })).toEqual({
    allocations: [
      { number: 'F-3', amount: 1 },
      { number: 'F-2', amount: 3_999 },
      { number: 'F-1', amount: 4_210 },
    ],
    advance: 790,
  })
})

test('a payment never pays more than itself or than is open; a return reopens what it paid', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 0, max: 40_000 }), (open, amount) => {
      const settled = settleOpenItems(open, { amount, references: open.slice(0, 2).map(({ number }) => number) })
      const paid = new Map(settled.allocations.map((each) => [each.number, each.amount]))
      expect(paid.size).toBe(settled.allocations.length)
      expect([...paid.values()].reduce((sum, part) => sum + part, 0) + settled.advance).toBe(amount)
      for (const each of open) expect(paid.get(each.number) ?? 0).toBeLessThanOrEqual(each.open)
      if (settled.advance > 0) for (const each of open) expect(paid.get(each.number) ?? 0).toBe(each.open)
      const left = open.map((each) => ({ ...each, open: each.open - (paid.get(each.number) ?? 0) }))
      expect(reopenItems(left, settled)).toEqual(open)
    }),
  )
})

test('a credit note goes to its own invoice before any other, then to the oldest', () => {
  const moves = offsetCreditNotes([
    { kind: 'creditNote', number: 'A-1', original: 'F-9', open: 1_000 },
    { kind: 'creditNote', number: 'A-2', original: 'F-1', open: 600 },
    { kind: 'invoice', number: 'F-2', due: '2026-10-20', open: 300 },
    { kind: 'invoice', number: 'F-1', due: '2026-09-20', open: 700 },
    { kind: 'invoice', number: 'F-3', due: '2026-12-20', open: 777 },
  ])
  expect(moves).toEqual({
    moves: [
      { credit: 'A-2', invoice: 'F-1', amount: 600 },
      { credit: 'A-1', invoice: 'F-1', amount: 100 },
      { credit: 'A-1', invoice: 'F-2', amount: 300 },
      { credit: 'A-1', invoice: 'F-3', amount: 600 },
    ],
    open: { 'F-3': 177 },
  })
  expect(offsetCreditNotes([{ kind: 'creditNote', number: 'A-1', original: 'F-9', open: 11 }])).toEqual({
    moves: [{ credit: 'A-1', invoice: null, amount: 11 }],
    open: {},
  })
})

test('reminder levels follow one another, never too soon, never below the minimum amount', () => {
  const base = {
    due: '2026-11-05',
    sent: [],
    offsets: [7, 21, 35, 60],
    gap: 7,
    blocked: false,
    open: 4_210,
    least: 500,
  }
  const level = (today: string, changes: Partial<Parameters<typeof computeDunningLevel>[0]> = {}) =>
    computeDunningLevel({ ...base, today, ...changes })
  expect([level('2026-11-11'), level('2026-11-12')]).toEqual([null, 1])
  expect(level('2027-03-01')).toBe(1)
  expect(level('2026-12-21', { sent: ['2026-12-15'] })).toBeNull()
  expect(level('2026-12-22', { sent: ['2026-12-15'] })).toBe(2)
  expect(level('2026-11-25', { sent: ['2026-11-12'] })).toBeNull()
  expect(level('2027-03-01', { sent: ['2026-11-12', '2026-11-26', '2026-12-10', '2027-01-04'] })).toBeNull()
  expect([
    level('2027-03-01', { blocked: true }),
    level('2027-03-01', { open: 499 }),
    level('2027-03-01', { open: 500 }),
  ]).toEqual([null, null, 1])
})
