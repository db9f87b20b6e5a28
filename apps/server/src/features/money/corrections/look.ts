import { and, eq, gt, inArray, lt, max, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { billingComputations, billingMonths, billingReviews } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Secrets } from '../../../secrets.ts'
import { type ClosedMonthRow, lockOperation } from '../billing/billing.ts'
import { storeAndIssueCorrections } from './keep.ts'
import { type CorrectionProposal, computeProposal } from './proposal.ts'

type ChangedDays = { companyId: number; operationId: string; from: string; to: string | null }

/** The issued months of an operation that days touch. */
export const loadIssuedMonths = (
  db: Db,
  { companyId, operationId, from, to }: ChangedDays,
): Promise<ClosedMonthRow[]> =>
  db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, companyId),
        eq(billingMonths.operationId, operationId),
        eq(billingMonths.status, 'issued'),
        gt(sql`(${billingMonths.month} + interval '1 month')::date`, from),
        to === null ? undefined : lt(billingMonths.month, to),
      ),
    )
    .orderBy(billingMonths.month)

const SYSTEM_ACTOR_NAME = 'Voisol'
const BACK_TO_BILLED_REASON = 'Ce qui est facturé est de nouveau ce que disent les données.'
const SUPERSEDED_REASON = 'D’autres données sont venues depuis.'
const WITHHELD_REASON = 'Trop peu pour un document\u00a0: retenu jusqu’à la prochaine régularisation.'

const openReviewOfMonthSql = ({ companyId, id }: ClosedMonthRow) =>
  and(eq(billingReviews.companyId, companyId), eq(billingReviews.monthId, id), eq(billingReviews.state, 'open'))

/** What was proposed is over. */
const closeReview = (tx: Db, row: ClosedMonthRow, reason: string) =>
  tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: SYSTEM_ACTOR_NAME })
    .where(openReviewOfMonthSql(row))

const hasDocumentsToSend = ({ summary }: CorrectionProposal) =>
  summary.creditNotes + summary.complements + summary.reissued > 0

/** Too little for a document: it is kept, told, and taken up by the next correction; nobody has to press anything. */
async function recordWithheld(
  tx: Db,
  row: ClosedMonthRow,
  { causes, summary, groups }: CorrectionProposal,
  secrets: Secrets,
) {
  const [first] = groups
  if (!first) return
  await closeReview(tx, row, SUPERSEDED_REASON)
  const decided = { state: 'settled', decidedAt: new Date(), decidedBy: SYSTEM_ACTOR_NAME, reason: WITHHELD_REASON }
  const about = { companyId: row.companyId, monthId: row.id, causes, summary, raisedAt: new Date() }
  const [review] = await tx
    .insert(billingReviews)
    .values({ ...about, ...decided })
    .returning()
  const cause = { kind: 'correction', reviewId: review?.id, causes }
  await storeAndIssueCorrections(tx, first, { secrets, by: SYSTEM_ACTOR_NAME, reason: WITHHELD_REASON, cause })
}

async function raiseReview(tx: Db, row: ClosedMonthRow, { causes, summary }: CorrectionProposal) {
  const { companyId, id: monthId, operationId, month } = row
  const known = await tx.update(billingReviews).set({ causes, summary }).where(openReviewOfMonthSql(row)).returning()
  if (known.length > 0) return
  const values = { companyId, monthId, causes, summary, state: 'open', raisedAt: new Date() }
  const [made] = await tx.insert(billingReviews).values(values).onConflictDoNothing().returning()
  if (!made) return
  await recordEvent(tx, {
    companyId,
    name: 'review.raised',
    object: made.id,
    data: { monthId, operationId, month, reviewId: made.id },
  })
}

/** Cents that other months hold are proposed by these alone: once, and under the month they are of. */
const hasCorrections = ({ groups: [own] }: CorrectionProposal) =>
  own !== undefined && own.judged.corrections.length + own.judged.reissued.length > 0

/** Cents that were held already are no news by themselves. */
const isNewCause = ({ causes }: CorrectionProposal) => !causes.includes('held')

/** Whether somebody has corrected the month, or one of its invoice, since the proposal was computed. */
async function isSuperseded(tx: Db, row: ClosedMonthRow, { groups }: CorrectionProposal): Promise<boolean> {
  const parts = groups[0]?.parts ?? []
  const newest = await tx
    .select({ monthId: billingComputations.monthId, number: max(billingComputations.number) })
    .from(billingComputations)
    .where(
      and(
        eq(billingComputations.companyId, row.companyId),
        inArray(
          billingComputations.monthId,
          parts.map((part) => part.row.id),
        ),
      ),
    )
    .groupBy(billingComputations.monthId)
  const numbers = new Map(newest.map(({ monthId, number }) => [monthId, number]))
  return parts.some((part) => numbers.get(part.row.id) !== part.last.number)
}

const MAX_TRIES = 3

/** Holds an issued month against today's data, and proposes what it needs; run again it says the same. */
export async function reviewMonth(deps: Deps, row: ClosedMonthRow, triesLeft = MAX_TRIES): Promise<void> {
  const reviewedAt = new Date()
  const proposal = await computeProposal(deps, deps.db, row)
  const superseded = await transaction(scopeToCompany(deps.db, row.companyId), async (tx) => {
    await lockOperation(tx, row.companyId, row.operationId)
    if (proposal && (await isSuperseded(tx, row, proposal))) return true
    await tx
      .update(billingMonths)
      .set({ lookedAt: reviewedAt })
      .where(and(eq(billingMonths.companyId, row.companyId), eq(billingMonths.id, row.id)))
    if (!proposal) return false
    if (!hasCorrections(proposal)) await closeReview(tx, row, BACK_TO_BILLED_REASON)
    else if (hasDocumentsToSend(proposal)) await raiseReview(tx, row, proposal)
    else if (isNewCause(proposal)) await recordWithheld(tx, row, proposal, deps.secrets)
    return false
  })
  if (superseded && triesLeft > 1) await reviewMonth(deps, row, triesLeft - 1)
}

export async function reviewIssuedMonths(deps: Deps, changedDays: ChangedDays): Promise<void> {
  for (const row of await loadIssuedMonths(deps.db, changedDays)) await reviewMonth(deps, row)
}
