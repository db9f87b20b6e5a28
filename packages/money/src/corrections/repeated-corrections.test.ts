import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween, getMonthPeriod, type ValidityPeriod } from '../calendar/days.ts'
import { type BillingDocument, sumFigures } from '../documents/document.ts'
import type { VatGroup } from '../documents/document-lines.ts'
import type { BillingMember, MonthInput } from '../month/input.ts'
import { recomputeMonth } from '../month/month.ts'
import {
  createRandom,
  getPropertyRuns,
  type RandomInteger,
  randomMonth,
  randomQuantities,
  randomRow,
  randomTariffs,
} from '../month/testing/random-months.ts'
import { computeOctoberBill } from '../month/testing/small-month.ts'
import { type RectificationResult, rectifyMonths } from './rectify.ts'

const at = <T>(things: readonly T[], random: RandomInteger): T | undefined => things[random(Math.max(things.length, 1))]

type Learnt = () => Partial<MonthInput>

/** Late changes of energy: readings, another key, the distributor's quantities. */
function energyLearnt(input: MonthInput, one: BillingMember, random: RandomInteger): Learnt[] {
  const period = getMonthPeriod(input.month)
  const row = () => {
    const producer = `P${random(input.producers.length)}`
    return randomRow(random, one.id, producer, daysBetween(period.from, period.to))
  }
  const cells = input.cells.filter(({ member }) => member !== one.id)
  const distributor = input.distributor.filter(({ prm }) => prm !== one.prm)
  const lowered = (figures: ArrayLike<number>) => Array.from(figures, (figure) => figure - (figure % (2 + random(7))))
  return [
    () => ({ cells: [...cells, row(), row()] }),
    () => ({ cells }),
    () => ({ cells: input.cells.map((each) => ({ ...each, wattMinutes: lowered(each.wattMinutes) })) }),
    () => ({ distributor }),
    () => ({ distributor: [...distributor, ...randomQuantities(random, one.prm, period)] }),
  ]
}

/** Late changes of terms: an entry, an exit, a new member, a price, a fee. */
function termsLearnt(input: MonthInput, one: BillingMember, random: RandomInteger): Learnt[] {
  const { from: first } = getMonthPeriod(input.month)
  const moved = (span: ValidityPeriod) => input.members.map((each) => (each === one ? { ...each, ...span } : each))
  const known = new Set(input.members.map(({ id }) => id))
  const guest = { ...one, id: `${one.id}n`, prm: `${one.prm}${random(999)}`, buyer: 'B9' }
  return [
    () => ({ members: moved({ from: addDays(first, random(9)), to: null }) }),
    () => ({ members: moved({ from: '2025-01-01', to: addDays(first, 10 + random(15)) }) }),
    () => ({ members: known.has(guest.id) ? input.members : [...input.members, guest] }),
    () => ({ tariffs: randomTariffs(random, first) }),
    () => ({ fees: input.fees.map((fee) => ({ ...fee, amount: random(2_500) })) }),
  ]
}

/** The month with one late change. */
function corrected(input: MonthInput, random: RandomInteger): MonthInput {
  const one = at(input.members, random)
  if (!one) return input
  const learnt = at([...energyLearnt(input, one, random), ...termsLearnt(input, one, random)], random)
  return { ...input, ...learnt?.() }
}

/** The total issued, by seller, buyer and rate. */
type Ledger = Map<string, { base: number; tax: number }>
function post(
  ledger: Ledger,
  { seller, buyer, vat }: { seller: string; buyer: string; vat: readonly VatGroup[] },
  sign: 1 | -1,
) {
  for (const { category, rate, base, tax } of vat) {
    const name = [seller, buyer, category, rate].join(' ')
    const known = ledger.get(name) ?? { base: 0, tax: 0 }
    ledger.set(name, { base: known.base + sign * base, tax: known.tax + sign * tax })
  }
}
const listNonZeroBalances = (ledger: Ledger) =>
  Object.fromEntries([...ledger].filter(([, { base, tax }]) => base !== 0 || tax !== 0).sort())
function buildLedger(documents: readonly BillingDocument[]): Ledger {
  const ledger: Ledger = new Map()
  for (const document of documents) post(ledger, document, 1)
  return ledger
}

function postAll(ledger: Ledger, { corrections }: RectificationResult) {
  for (const each of corrections) {
    if (!('lines' in each)) continue
    const lines = sumFigures(each.lines.map(({ net }) => net))
    expect(lines - sumFigures(each.allowances.map(({ amount }) => amount))).toBe(each.totals.net)
    expect(each.totals.gross).toBeGreaterThanOrEqual(0)
    post(ledger, each, each.document === 'creditNote' ? -1 : 1)
  }
}

type ChainState = {
  input: MonthInput
  units: ReadonlyMap<string, number>
  clean: readonly BillingDocument[]
  standing: readonly BillingDocument[]
  ledger: Ledger
}

function open(random: RandomInteger, month: string): ChainState {
  const input = randomMonth(random, month)
  const { units, documents } = computeOctoberBill(input)
  return { input, units, clean: documents, standing: documents, ledger: buildLedger(documents) }
}

function recomputeWithChange(kept: ChainState, random: RandomInteger): ChainState {
  const input = corrected(kept.input, random)
  const outcome = recomputeMonth(kept, input)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  return { ...kept, input, units: outcome.month.units, clean: outcome.month.documents }
}

function settleAll(months: readonly ChainState[], flush: boolean): ChainState[] {
  const results = rectifyMonths(
    months.map(({ standing, clean }) => ({ issued: standing, clean })),
    { thresholdCents: 50, flush },
  )
  return months.map((month, place) => {
    const result = results[place]
    if (!result) return month
    postAll(month.ledger, result)
    expect(listNonZeroBalances(month.ledger)).toEqual(listNonZeroBalances(buildLedger(result.standing)))
    return { ...month, standing: result.standing }
  })
}

const MONTHS = ['2026-10', '2027-02', '2027-03']

test('issued plus corrections equal a clean recomputation by buyer, seller and rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const random = createRandom(seed)
      let months = MONTHS.map((month) => open(random, month))
      for (let turn = 0; turn < 5; turn++) {
        months = months.map((month) => (random(3) ? recomputeWithChange(month, random) : month))
        months = settleAll(months, false)
        const held = Map.groupBy(
          months.flatMap(({ clean, standing }) => [
            ...clean.map((d) => ({ d, sign: 1 })),
            ...standing.map((d) => ({ d, sign: -1 })),
          ]),
          ({ d }) => `${d.seller} ${d.buyer}`,
        )
        for (const pair of held.values())
          expect(Math.abs(sumFigures(pair.map(({ d, sign }) => sign * d.totals.gross)))).toBeLessThan(50)
      }
      for (const { ledger, clean } of settleAll(months, true))
        expect(listNonZeroBalances(ledger)).toEqual(listNonZeroBalances(buildLedger(clean)))
    }),
    getPropertyRuns(100),
  )
})

test('without a change nothing is corrected; unaffected members keep every unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const random = createRandom(seed)
      const month = open(random, '2026-10')
      const again = recomputeMonth(month, { ...month.input, cells: month.input.cells.toReversed() })
      expect(again.ok && again.month.documents).toEqual(month.clean)
      const [first, ...others] = month.input.members
      if (month.input.distributor.length > 0 || !first) return
      const cells = month.input.cells.filter(({ member }) => member !== first.id)
      const changed = recomputeMonth(month, { ...month.input, cells })
      for (const { id } of others) expect(changed.ok && changed.month.units.get(id)).toBe(month.units.get(id))
    }),
    getPropertyRuns(100),
  )
})
