import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allocatePayment,
  computeBalance,
  computeOpenAmounts,
  type LedgerEntry,
  type LedgerMatch,
  matchOpenCredits,
  type NewLedgerMatch,
  reverseMatches,
} from './ledger.ts'

const entry = (id: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  of: 'document',
  side: 'debit',
  number: `F-${id}`,
  due: '2026-06-15',
  amount: 1003,
  corrects: null,
  ...more,
})
const money = (id: string, amount: number, due = '2026-07-01'): LedgerEntry =>
  entry(id, { of: 'money', side: 'credit', number: id, due, amount })
const toMatchTuples = (matches: NewLedgerMatch[]) => matches.map(({ debit, credit, amount }) => [debit, credit, amount])

test('a payment is used after credit notes, first on what it names, then on the oldest due', () => {
  const entries = [
    entry('a', { due: '2026-08-02' }),
    entry('b', { due: '2026-06-15', amount: 507 }),
    entry('c', { side: 'credit', amount: 211, corrects: 'a' }),
  ]
  const payment = money('p', 900)
  expect(toMatchTuples(allocatePayment(entries, [], { credit: payment, references: ['F-a'] }))).toEqual([
    ['a', 'c', 211],
    ['a', 'p', 792],
    ['b', 'p', 108],
  ])
})

test('an advance is used on the next document, the oldest advance first', () => {
  const advances = [money('q', 400, '2026-07-03'), money('p', 301)]
  expect(toMatchTuples(matchOpenCredits([...advances, entry('a', { amount: 503 })], []))).toEqual([
    ['a', 'p', 301],
    ['a', 'q', 202],
  ])
})

test('what was reversed already is not reversed again', () => {
  const closed = { id: 'm', debit: 'a', credit: 'p', amount: 301, undoes: null }
  const [back] = reverseMatches([closed], 'p')
  expect(back).toEqual({ debit: 'a', credit: 'p', amount: -301, undoes: 'm' })
  expect(reverseMatches([closed, { debit: 'a', credit: 'p', amount: -301, undoes: 'm', id: 'n' }], 'p')).toEqual([])
})

type Step =
  | { do: 'invoice' | 'creditNote' | 'pay' | 'charge'; amount: number; day: number; pick: number }
  | { do: 'return' | 'refund' | 'replay'; pick: number; amount: number; day: number }
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('invoice', 'invoice', 'creditNote', 'pay', 'pay', 'charge', 'return', 'refund', 'replay'),
  amount: fc.integer({ min: 1, max: 4_999 }),
  day: fc.integer({ min: 1, max: 28 }),
  pick: fc.nat({ max: 1_000 }),
})
type World = { entries: LedgerEntry[]; matches: LedgerMatch[]; back: Set<string>; owed: number }
const at = <T>(list: readonly T[], pick: number): T | undefined => list[list.length ? pick % list.length : 0]

const add = (world: World, matches: NewLedgerMatch[]) => {
  for (const match of matches) world.matches.push({ ...match, id: `m${world.matches.length}` })
}
const waiting = (world: World) => add(world, matchOpenCredits(world.entries, world.matches))

function refund(world: World, { pick, amount }: Step, id: string, due: string) {
  waiting(world)
  const open = computeOpenAmounts(world.entries, world.matches)
  const credit = at(
    world.entries.filter(({ id: own, side }) => side === 'credit' && (open.get(own) ?? 0) > 0),
    pick,
  )
  if (!credit) return
  const cents = Math.min(amount, open.get(credit.id) ?? 0)
  world.entries.push({ ...money(id, cents, due), side: 'debit' })
  add(world, [{ debit: id, credit: credit.id, amount: cents, undoes: null }])
  world.owed += cents
}

function reverseOnePayment(world: World, { pick }: Step, id: string, due: string) {
  waiting(world)
  const paid = world.entries.filter((one) => one.of === 'money' && one.side === 'credit' && !world.back.has(one.id))
  const credit = at(paid, pick)
  if (!credit) return
  const before = computeOpenAmounts(world.entries, world.matches)
  const closed = new Map<string, number>()
  for (const { debit, credit: by, amount } of world.matches)
    if (by === credit.id) closed.set(debit, (closed.get(debit) ?? 0) + amount)
  world.entries.push({ ...money(id, credit.amount, due), side: 'debit' })
  add(world, reverseMatches(world.matches, credit.id))
  add(world, [{ debit: id, credit: credit.id, amount: credit.amount, undoes: null }])
  world.back.add(credit.id)
  world.owed += credit.amount
  const reopened = [...before].map(([debit, left]): [string, number] => [debit, left + (closed.get(debit) ?? 0)])
  expect(computeOpenAmounts(world.entries, world.matches)).toEqual(new Map([...reopened, [credit.id, 0], [id, 0]]))
}

function walk(world: World, one: Step, index: number) {
  const [id, due] = [`e${index}`, `2026-09-${String(one.day).padStart(2, '0')}`]
  const documents = world.entries.filter(({ of, side }) => of === 'document' && side === 'debit')
  if (one.do === 'invoice' || one.do === 'charge') {
    const own = { due, amount: one.amount }
    world.entries.push(one.do === 'invoice' ? entry(id, own) : { ...money(id, one.amount, due), side: 'debit' })
    world.owed += one.amount
  } else if (one.do === 'creditNote') {
    const corrects = at(documents, one.pick)?.id ?? null
    world.entries.push(entry(id, { side: 'credit', due, amount: one.amount, corrects }))
    world.owed -= one.amount
  } else if (one.do === 'pay') {
    const credit = money(id, one.amount, due)
    const references = one.pick % 3 ? [] : [at(documents, one.pick)?.number ?? 'F-?']
    add(world, allocatePayment(world.entries, world.matches, { credit, references }))
    world.entries.push(credit)
    world.owed -= one.amount
  } else if (one.do === 'refund') refund(world, one, id, due)
  else if (one.do === 'return') reverseOnePayment(world, one, id, due)
  else {
    // After the offset, nothing is left to offset.
    waiting(world)
    expect(matchOpenCredits(world.entries, world.matches)).toEqual([])
  }
  holds(world)
}

function holds({ entries, matches, owed }: World) {
  const open = computeOpenAmounts(entries, matches)
  const left = ({ id }: LedgerEntry) => open.get(id) ?? 0
  expect([computeBalance(entries, open), entries.filter((one) => left(one) < 0 || left(one) > one.amount)]).toEqual([
    owed,
    [],
  ])
}

test('after 10 000 random steps open items equal the balance, and no match exceeds its entry', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const world: World = { entries: [], matches: [], back: new Set(), owed: 0 }
      for (const [index, one] of steps.entries()) walk(world, one, index)
      waiting(world)
      holds(world)
      const open = computeOpenAmounts(world.entries, world.matches)
      const sides = new Set(world.entries.flatMap(({ id, side }) => ((open.get(id) ?? 0) > 0 ? [side] : [])))
      expect(sides.size).toBeLessThan(2)
    }),
    { numRuns: 10_000 },
  )
})
