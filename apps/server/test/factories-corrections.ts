import type { Db } from '../src/db/client.ts'
import { billingMonths, billingReviews } from '../src/db/schema/index.ts'

type ReviewInput = { companyId: number; operationId: string; reason: string }

const EMPTY_SUMMARY = {
  delta: { net: 0, tax: 0, gross: 0 },
  creditNotes: 0,
  complements: 0,
  reissued: 0,
  held: { buyers: 0, gross: 0 },
  barred: { buyers: 0, gross: 0 },
  wh: 0,
}

/** A review without a computation, only to be decided. */
export async function makeReview(db: Db, { companyId, operationId, reason }: ReviewInput) {
  const issued = { companyId, operationId, month: '2026-05-01', status: 'issued', closedBy: 'Camille' }
  const [month] = await db
    .insert(billingMonths)
    .values({ ...issued, closedAt: new Date() })
    .returning()
  if (!month) throw new Error('nothing was inserted')
  const about = { companyId, monthId: month.id, causes: ['held'], summary: EMPTY_SUMMARY, state: 'left', reason }
  const [review] = await db
    .insert(billingReviews)
    .values({ ...about, raisedAt: new Date() })
    .returning()
  if (!review) throw new Error('nothing was inserted')
  return review
}
