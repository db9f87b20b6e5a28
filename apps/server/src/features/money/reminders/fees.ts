import type { LateFees } from '@voisol/contract/reminders'
import { addDays, clip, daysBetween, type Span } from '@voisol/money/days'
import { interestCents, type RateSpan } from '@voisol/money/interest'
import { and, eq, like } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { payments } from '../../../db/schema/index.ts'
import { settingSpans, settingsOn } from '../settings/settings.ts'

export type Fees = z.infer<typeof LateFees>
type Owed = { id: string; due: string; open: number }
type Rate = Span & { value: number }

/** Days late under each rate that held meanwhile. */
export const rateSpans = (rates: readonly Rate[], due: string, today: string): RateSpan[] =>
  rates.flatMap((rate) => {
    const part = clip({ from: addDays(due, 1), to: addDays(today, 1) }, rate)
    return part ? [{ days: daysBetween(part.from, part.to), rateBp: rate.value }] : []
  })

/** What was claimed already, by document: the indemnity once, interest as it ran. */
async function claimedSoFar(db: Db, companyId: number) {
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

/** By document what a business may be asked on top; of a person nothing is ever asked this way. */
export async function lateFees(db: Db, companyId: number, today: string) {
  const indemnity = (await settingsOn(db, companyId, today))['recovery.indemnityCents'].value
  const rates = await settingSpans(db, companyId, 'recovery.rateBp')
  const claimed = await claimedSoFar(db, companyId)
  const ofDocument = ({ id, due, open }: Owed): Fees => ({
    indemnity: claimed.has(`${id} indemnity`) ? 0 : indemnity,
    interest: Math.max(0, interestCents(open, rateSpans(rates, due, today)) - (claimed.get(`${id} interest`) ?? 0)),
  })
  const ofAccount = (items: readonly Owed[]): Fees =>
    items.map(ofDocument).reduce(
      (sum, one) => ({
        indemnity: sum.indemnity + one.indemnity,
        interest: sum.interest + one.interest,
      }),
      { indemnity: 0, interest: 0 },
    )
  return { ofDocument, ofAccount }
}
