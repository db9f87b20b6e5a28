import { billing } from '@voisol/contract/billing'
import { corrections } from '@voisol/contract/corrections'
import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/energy/calendar'
import { asc, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import {
  allocateMonths,
  type BillingYear,
  fetchOpenReviews,
  issueCorrection,
  makeBillingYear,
  mockToday,
  requestMonthClose,
  requestMonthIssue,
} from '../../../../test/billing-year.ts'
import { call } from '../../../../test/client.ts'
import { buildCurveDay } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, operationBilling } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { recomputeSnapshot } from '../invoices/recompute-document.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

const documentsOf = async ({ companyId }: BillingYear) => {
  const rows = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.companyId, companyId))
    .orderBy(asc(invoices.issuedAt), asc(invoices.number))
  return rows.map((row) => ({ ...row, snapshot: InvoiceSnapshot.parse(row.snapshot) }))
}
type Documents = Awaited<ReturnType<typeof documentsOf>>

/** Sums of bases and taxes over all documents, by seller, buyer and rate. */
function sumsOf(documents: Documents) {
  const sums = new Map<string, { rate: number; base: number; tax: number }>()
  for (const { sellerId, buyerId, kind, snapshot } of documents)
    for (const { category, rate, base, tax } of snapshot.vat) {
      const name = [sellerId, buyerId, category, rate].join(' ')
      const known = sums.get(name) ?? { rate, base: 0, tax: 0 }
      const sign = kind === 'creditNote' ? -1 : 1
      sums.set(name, { rate, base: known.base + sign * base, tax: known.tax + sign * tax })
    }
  return [...sums.values()]
}

/** The tax of a document of three months is computed on its sum, also after corrections. */
function expectTaxOfSums(documents: Documents) {
  for (const { rate, base, tax } of sumsOf(documents)) expect(tax).toBe(Math.round((base * rate) / 10_000))
}

/** Closes and issues three months together. */
async function quarter() {
  mockToday('2026-01-09')
  const year = await makeBillingYear(server, '2025-10', 3, 3)
  for (const month of year.months) await requestMonthClose(server, year, month)
  return year
}

async function reread(year: BillingYear, from: string, days: number) {
  const { id } = year.consumers[1] ?? { id: '' }
  const rows = Array.from({ length: days }, (_, at) =>
    buildCurveDay(id, addDays(from, at), (step) => (step * 137) % 2503),
  )
  await storeReadingsAndNotify(server.db, year.companyId, rows, { source: 'api', receivedAt: new Date() })
  await allocateMonths(server, year, [from.slice(0, 7)])
  await waitForJobs(server)
}

test('issues three months on one invoice, corrects it to the cent of its sum, and cancels it whole', async () => {
  const year = await quarter()
  const params = { operationId: year.operation.id, month: '2025-11' }
  const early = await call(server, billing.issue, { params }, year)
  expect([early.status, early.body.detail]).toEqual([409, expect.stringContaining('tous les 3 mois')])
  const { issued } = await requestMonthIssue(server, year, '2025-12')
  const first = await documentsOf(year)
  expect(first).toHaveLength(issued)
  for (const { from, to, snapshot } of first) {
    expect([from, to]).toEqual(['2025-10-01', '2026-01-01'])
    expect(new Set(snapshot.lines.map((line) => line.from.slice(0, 7)))).toEqual(new Set(year.months))
    expect(recomputeSnapshot(snapshot).same).toBe(true)
  }
  expectTaxOfSums(first)
  expect(await requestMonthIssue(server, year, '2025-12')).toEqual({ issued: 0, already: issued })

  // Corrects two of its months, one after the other.
  for (const day of ['2025-11-12', '2025-10-25']) {
    await reread(year, day, 2)
    const [review] = await fetchOpenReviews(server, year)
    if (!review) throw new Error('nothing was proposed')
    await issueCorrection(server, year, review)
    expectTaxOfSums(await documentsOf(year))
  }
  const corrected = (await documentsOf(year)).slice(first.length)
  expect(corrected.length).toBeGreaterThan(2)
  for (const { snapshot } of corrected) {
    expect(first.map(({ number }) => number)).toContain(snapshot.corrects?.number)
    expect(recomputeSnapshot(snapshot).same).toBe(true)
  }

  const [invoice] = first
  const body = { invoiceId: invoice?.id, reason: 'Facture adressée à la mauvaise personne.' }
  const { body: made } = await call(server, corrections.cancel, { body }, year)
  const all = await documentsOf(year)
  const mine = all.filter(({ sellerId, buyerId }) => sellerId === invoice?.sellerId && buyerId === invoice?.buyerId)
  expect(mine.map(({ id }) => id)).toContain(made.id)
  expect(sumsOf(mine).every(({ base, tax }) => base === 0 && tax === 0)).toBe(true)
  await waitForJobs(server)
  const reviews = await fetchOpenReviews(server, year)
  expect(reviews.length).toBeGreaterThan(0)
  for (const review of reviews) await issueCorrection(server, year, review)
  const again = await documentsOf(year)
  expectTaxOfSums(again)
  expect(new Set(again.at(-1)?.snapshot.lines.map(({ from }) => from.slice(0, 7)))).toEqual(new Set(year.months))
})

test('does not invoice a month again that was invoiced alone before months were joined', async () => {
  mockToday('2026-01-09')
  const year = await makeBillingYear(server, '2025-10', 3)
  await requestMonthClose(server, year, '2025-10')
  const { issued } = await requestMonthIssue(server, year, '2025-10')
  await server.db
    .insert(operationBilling)
    .values({ companyId: year.companyId, operationId: year.operation.id, monthsPerInvoice: 3 })
  for (const month of ['2025-11', '2025-12']) await requestMonthClose(server, year, month)
  await requestMonthIssue(server, year, '2025-12')
  const later = (await documentsOf(year)).slice(issued)
  expect(later.length).toBeGreaterThan(0)
  for (const { snapshot } of later)
    expect(new Set(snapshot.lines.map(({ from }) => from.slice(0, 7)))).toEqual(new Set(['2025-11', '2025-12']))
})
