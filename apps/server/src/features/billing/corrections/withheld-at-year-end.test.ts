import { addMonths } from '@voisol/energy/calendar'
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
import { buildCurveDay } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { billingMonths, invoices } from '../../../db/schema/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { computeProposal } from './correction-proposal.ts'
import { reviewMonth } from './review-months.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

/** A household consumed a little more on one evening of a billed month. */
async function littleMore(year: BillingYear, month: string) {
  const day = buildCurveDay(year.consumers[0]?.id ?? '', `${month}-12`, (at) => (at < 30 ? 500 : 380))
  await storeReadingsAndNotify(server.db, year.companyId, [day], { source: 'api', receivedAt: new Date() })
  await allocateMonths(server, year, [month])
  await waitForJobs(server)
}

const monthsOf = ({ companyId }: BillingYear) =>
  server.db.select().from(billingMonths).where(eq(billingMonths.companyId, companyId)).orderBy(asc(billingMonths.month))
async function lookAtAll(year: BillingYear) {
  for (const row of await monthsOf(year)) await reviewMonth(server.deps, row)
}
const proposed = async (year: BillingYear) => (await fetchOpenReviews(server, year)).map(({ month }) => month).sort()
const count = ({ companyId }: BillingYear) => server.db.$count(invoices, eq(invoices.companyId, companyId))

test('proposes withheld cents once, under their own month, when their year ends', async () => {
  const year = await makeBillingYear(server, '2025-12', 3)
  for (const month of year.months) {
    mockToday(addMonths(`${month}-09`, 1))
    await requestMonthClose(server, year, month)
    await requestMonthIssue(server, year, month)
  }
  await waitForJobs(server)
  const before = await count(year)
  mockToday('2026-03-20')
  await littleMore(year, '2026-01')
  await littleMore(year, '2026-02')
  // December 2025 belongs to a year that has ended, but has no withheld cents.
  await lookAtAll(year)
  expect(await proposed(year)).toEqual([])
  const [december] = await monthsOf(year)
  const along = december && (await computeProposal(server.deps, server.db, december))
  expect(along?.summary).toMatchObject({ creditNotes: 0, complements: 0 })
  expect(along?.summary.held.buyers).toBeGreaterThan(0)

  mockToday('2027-01-05')
  await lookAtAll(year)
  expect(await proposed(year)).toEqual(['2026-01-01', '2026-02-01'])
  const [first] = await fetchOpenReviews(server, year)
  if (first) await issueCorrection(server, year, first)
  expect(await proposed(year)).toEqual([])
  expect(await count(year)).toBeGreaterThan(before + 1)
})
