import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { TariffRule } from '@voisol/contract/tariff-rule'
import { addMonths } from '@voisol/energy/calendar'
import type { Document } from '@voisol/money/document'
import { closeMonth as closeClean } from '@voisol/money/month'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import {
  beginYear,
  closeMonth,
  type Deed,
  issueMonth,
  learn,
  openReviews,
  randomOf,
  settle,
  todayIs,
  type Year,
} from '../../../../test/billing-year.ts'
import { jobsEnd } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { billingMonths, invoices, tariffs } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { computationOf, type MonthRow, monthInput } from '../billing/billing.ts'
import { recomputeSnapshot } from '../invoices/recompute.ts'
import { blend } from './blend.ts'
import { proposalFor, standingOf } from './proposal.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

type Ledger = Map<string, number>
function add(ledger: Ledger, seller: string, buyer: string, vat: Document['vat'], sign: number) {
  for (const { category, rate, base, tax } of vat)
    for (const [what, value] of [
      ['base', base],
      ['tax', tax],
    ] as const) {
      const name = [seller, buyer, category, rate, what].join(' ')
      ledger.set(name, (ledger.get(name) ?? 0) + sign * value)
    }
}
const told = (ledger: Ledger) => Object.fromEntries([...ledger].filter(([, value]) => value !== 0).sort())

/** By seller, buyer, category and rate, what all documents come to. */
async function issuedOf({ companyId }: Year): Promise<Ledger> {
  const ledger: Ledger = new Map()
  const rows = await server.db.select().from(invoices).where(eq(invoices.companyId, companyId))
  for (const row of rows) {
    const snapshot = InvoiceSnapshot.parse(row.snapshot)
    const { seller, buyer, vat, kind } = snapshot
    // Every figure of every document, allowances of corrections among them, is found again by whoever reads it.
    expect(recomputeSnapshot(snapshot).parts.filter(({ same }) => same !== true)).toEqual([])
    add(ledger, seller.id, buyer.id, vat, kind === 'creditNote' ? -1 : 1)
  }
  return ledger
}

const monthsOf = ({ companyId }: Year) =>
  server.db.select().from(billingMonths).where(eq(billingMonths.companyId, companyId)).orderBy(asc(billingMonths.month))

async function standing(year: Year): Promise<Ledger> {
  const ledger: Ledger = new Map()
  for (const row of await monthsOf(year)) {
    if (row.status !== 'issued') continue
    for (const { seller, buyer, vat } of standingOf(await computationOf(server.db, row, 'last')))
      add(ledger, seller, buyer, vat, 1)
  }
  return ledger
}

const whOf = (documents: readonly Document[]) => {
  const sums = new Map<string, number>()
  for (const { lines } of documents)
    for (const line of lines) {
      if (line.kind !== 'energy') continue
      sums.set(line.member, (sums.get(line.member) ?? 0) + line.wh)
    }
  return sums
}

/** With today's data, closed as if for the first time: nobody's quantity is further from it than roundings can be. */
async function expectFresh(row: MonthRow, year: Year) {
  const last = await computationOf(server.db, row, 'last')
  const { input } = await monthInput(server.db, row.companyId, row.operationId, row.month.slice(0, 7))
  const fresh = closeClean(blend(last.input, input))
  if (!fresh.ok) throw new Error(JSON.stringify(fresh.issues))
  const [now, then] = [whOf(last.outcome.documents), whOf(fresh.month.documents)]
  expect([...now.keys()].sort()).toEqual([...then.keys()].sort())
  for (const [member, wh] of now)
    expect(Math.abs(wh - (then.get(member) ?? 0)), `${row.month} ${member}`).toBeLessThan(3)
  const proposal = await proposalFor(server.deps, server.db, row)
  expect(proposal?.changes, `${year.operation.name} ${row.month}`).toEqual([])
}

/** Every line is priced by the version of its own days, with that version's own rule: which the last word on prices wrote. */
async function expectPriced({ companyId }: Year, documents: readonly Document[]) {
  const versions = await server.db
    .select()
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.status, 'adopted')))
    .orderBy(desc(tariffs.startsOn))
  for (const line of documents.flatMap(({ lines }) => lines)) {
    if (line.kind !== 'energy') continue
    const held = versions.find(({ startsOn }) => startsOn <= line.from)
    const rule = TariffRule.array()
      .parse(held?.rules)
      .find(({ id }) => id === line.rule)
    expect(rule, `${line.rule} on ${line.from}`).toBeDefined()
    expect(versions.some(({ startsOn }) => line.from < startsOn && startsOn < line.to)).toBe(false)
    if (!rule?.index) expect(line.price).toBe(rule?.price)
  }
}

const DEEDS: Deed[] = ['readings', 'quantities', 'entry', 'exit', 'transfer', 'key', 'cancel']
const PRICES: Deed[] = ['tariff', 'index', 'social', 'discount', 'fee', 'tariff']

async function live(seed: number, first: string, count: number) {
  const random = randomOf(seed)
  const year = await beginYear(server, first, count)
  const log: string[] = []
  for (const [at, month] of year.months.entries()) {
    todayIs(addMonths(`${month}-09`, 1))
    await closeMonth(server, year, month)
    await issueMonth(server, year, month)
    await jobsEnd(server)
    for (const deeds of [PRICES, DEEDS]) {
      const deed = deeds[random(deeds.length)] ?? 'readings'
      log.push(`${month} ${deed}`)
      await learn(server, year, deed, year.months.slice(0, at + 1), random)
    }
    for (const review of await openReviews(server, year)) if (random(3)) await settle(server, year, review)
    expect(told(await issuedOf(year)), log.join(', ')).toEqual(told(await standing(year)))
  }
  // The year is over: nothing is held any longer, and nobody has to think of it.
  todayIs(addMonths(`${year.months.at(-1)}-11`, 2))
  await server.db
    .update(billingMonths)
    .set({ lookedAt: sql`(${billingMonths.lookedAt} at time zone 'UTC' - interval '1 day') at time zone 'UTC'` })
  await enqueue(server.db, 'corrections.quantities', {})
  await jobsEnd(server)
  for (let turns = 0; turns < 2 * count; turns++) {
    const [review] = await openReviews(server, year)
    if (!review) break
    await settle(server, year, review)
  }
  return { year, log }
}

/** What was issued over the year is what a clean computation gives, by seller, buyer and rate. */
async function expectYear({ year, log }: Awaited<ReturnType<typeof live>>) {
  const clean: Ledger = new Map()
  for (const row of await monthsOf(year)) {
    await expectFresh(row, year)
    const { documents } = (await computationOf(server.db, row, 'last')).outcome
    await expectPriced(year, documents)
    for (const { seller, buyer, vat } of documents) add(clean, seller, buyer, vat, 1)
  }
  expect(told(await issuedOf(year)), log.join(', ')).toEqual(told(clean))
  expect((await issuedOf(year)).size).toBeGreaterThan(0)
}

const SEEDS = process.env.TEST_ALL ? [1, 2, 3, 4, 5, 8, 11, 12] : [3]
const [FIRST, COUNT] = process.env.TEST_ALL ? (['2025-01', 12] as const) : (['2025-09', 4] as const)

test.each(SEEDS)(
  'a year lived over the API: documents come to a clean recomputation, to the cent (seed %i)',
  async (seed) => {
    await expectYear(await live(seed, FIRST, COUNT))
  },
  process.env.TEST_ALL ? 1_200_000 : 300_000,
)
