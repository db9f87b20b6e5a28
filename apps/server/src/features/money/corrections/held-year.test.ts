import { addMonths } from '@voisol/energy/calendar'
import { asc, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import {
  beginYear,
  closeMonth,
  issueMonth,
  openReviews,
  settle,
  shareAgain,
  todayIs,
  type Year,
} from '../../../../test/billing-year.ts'
import { makeDay } from '../../../../test/factories-curves.ts'
import { jobsEnd } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { billingMonths, invoices } from '../../../db/schema/index.ts'
import { storeDays } from '../../energy/curves/curves.ts'
import { lookAt } from './look.ts'
import { proposalFor } from './proposal.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

/** A home drew a little more on one evening of a month that was billed. */
async function littleMore(year: Year, month: string) {
  const day = makeDay(year.consumers[0]?.id ?? '', `${month}-12`, (at) => (at < 30 ? 500 : 380))
  await storeDays(server.db, year.companyId, [day], { source: 'api', receivedAt: new Date() })
  await shareAgain(server, year, [month])
  await jobsEnd(server)
}

const monthsOf = ({ companyId }: Year) =>
  server.db.select().from(billingMonths).where(eq(billingMonths.companyId, companyId)).orderBy(asc(billingMonths.month))
async function lookAtAll(year: Year) {
  for (const row of await monthsOf(year)) await lookAt(server.deps, row)
}
const proposed = async (year: Year) => (await openReviews(server, year)).map(({ month }) => month).sort()
const count = ({ companyId }: Year) => server.db.$count(invoices, eq(invoices.companyId, companyId))

test('cents wait for the end of their own year; they are proposed under their month, and once', async () => {
  const year = await beginYear(server, '2025-12', 3)
  for (const month of year.months) {
    todayIs(addMonths(`${month}-09`, 1))
    await closeMonth(server, year, month)
    await issueMonth(server, year, month)
  }
  await jobsEnd(server)
  const before = await count(year)
  todayIs('2026-03-20')
  await littleMore(year, '2026-01')
  await littleMore(year, '2026-02')
  // December 2025 is of a year that has ended, but nothing of it waits.
  await lookAtAll(year)
  expect(await proposed(year)).toEqual([])
  const [december] = await monthsOf(year)
  const along = december && (await proposalFor(server.deps, server.db, december))
  expect(along?.summary).toMatchObject({ creditNotes: 0, complements: 0 })
  expect(along?.summary.held.buyers).toBeGreaterThan(0)

  todayIs('2027-01-05')
  await lookAtAll(year)
  expect(await proposed(year)).toEqual(['2026-01-01', '2026-02-01'])
  const [first] = await openReviews(server, year)
  if (first) await settle(server, year, first)
  expect(await proposed(year)).toEqual([])
  expect(await count(year)).toBeGreaterThan(before + 1)
})
