import type { LateFees } from '@voisol/contract/reminders'
import { addDays, daysBetween, intersectPeriods, type ValidityPeriod } from '@voisol/money/days'
import { computeInterestCents, type InterestSpan } from '@voisol/money/interest'
import { and, eq, like } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { loadSettingPeriods, loadSettingsOn } from '../settings/settings.ts'

export type LateFeeAmounts = z.infer<typeof LateFees>
type OverdueAmount = { id: string; due: string; open: number }
type RatePeriod = ValidityPeriod & { value: number }

/** Days late under each interest rate in force meanwhile. */
export const splitByRate = (rates: readonly RatePeriod[], due: string, today: string): InterestSpan[] =>
  rates.flatMap((rate) => {
    const part = intersectPeriods({ from: addDays(due, 1), to: addDays(today, 1) }, rate)
    return part ? [{ days: daysBetween(part.from, part.to), rateBp: rate.value }] : []
  })

/** Late fees already charged, by document: the indemnity, and interest so far. */
async function loadClaimedAmounts(db: Db, companyId: number) {
  const rows = await db
    .select({ source: payments.source, amount: payments.amount })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.kind, 'charge'), like(payments.source, 'claim:%')))
  const sums = new Map<string, number>()
  for (const { source, amount } of rows) {
    const [, invoiceId, what] = source.split(':')
    const key = `${invoiceId} ${what}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  return sums
}

/** Late fees by document for businesses; individuals are never charged any. */
export async function loadLateFeeCalculators(db: Db, companyId: number, today: string) {
  const indemnity = (await loadSettingsOn(db, companyId, today))['recovery.indemnityCents'].value
  const rates = await loadSettingPeriods(db, companyId, 'recovery.rateBp')
  const claimed = await loadClaimedAmounts(db, companyId)
  const ofDocument = ({ id, due, open }: OverdueAmount): LateFeeAmounts => ({
    indemnity: claimed.has(`${id} indemnity`) ? 0 : indemnity,
    interest: Math.max(
      0,
      computeInterestCents(open, splitByRate(rates, due, today)) - (claimed.get(`${id} interest`) ?? 0),
    ),
  })
  const ofAccount = (items: readonly OverdueAmount[]): LateFeeAmounts =>
    items.map(ofDocument).reduce(
      (sum, one) => ({
        indemnity: sum.indemnity + one.indemnity,
        interest: sum.interest + one.interest,
      }),
      { indemnity: 0, interest: 0 },
    )
  return { ofDocument, ofAccount }
}
