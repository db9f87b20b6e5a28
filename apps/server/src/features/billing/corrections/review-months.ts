import { and, eq, gt, inArray, lt, max, or, type SQL, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { billingComputations, billingMonths, billingReviews } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { type ClosedMonthRow, lockOperation } from '../month-closing/index.ts'
import { type CorrectionProposal, computeProposal } from './correction-proposal.ts'
import { storeAndIssueCorrections } from './issue-correction.ts'

type ChangedDays = { companyId: number; operationId: string; from: string; to: string | null }

/** The issued months of an operation that overlap a period. */
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

/** Closes the open review of a month: its proposal no longer applies. */
const closeReview = (tx: Db, row: ClosedMonthRow, reason: string) =>
  tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: SYSTEM_ACTOR_NAME })
    .where(openReviewOfMonthSql(row))

const hasDocumentsToSend = ({ summary }: CorrectionProposal) =>
  summary.creditNotes + summary.complements + summary.reissued > 0

/**
 * Records an amount too small for a document: it is stored, announced and included in the next correction, without any
 * action.
 */
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

/** Cents withheld in other months are proposed by those months only: once, and under their own month. */
const hasCorrections = ({ groups: [own] }: CorrectionProposal) =>
  own !== undefined && own.judged.corrections.length + own.judged.reissued.length > 0

/** Cents that were already withheld are no reason to notify again. */
const isNewCause = ({ causes }: CorrectionProposal) => !causes.includes('held')

/** Whether the month, or one of the same invoice, was corrected since the proposal was computed. */
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

/**
 * Compares an issued month with today's data and proposes the needed corrections; running it again gives the same
 * result.
 */
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

/** Whether the distributor's quantities of the month changed since its last review. */
const newQuantitiesSql = sql`exists (select 1 from distributor_quantities q
  where q.company_id = ${billingMonths.companyId} and q.operation_id = ${billingMonths.operationId}
    and q.from_day < ${billingMonths.month} + interval '1 month' and q.to_day > ${billingMonths.month}
    and greatest(q.received_at, coalesce(q.superseded_at, q.received_at))
        > coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}))`

/**
 * Cents are withheld until the buyer leaves or the year ends, and no event announces either: a daily check finds when
 * they are due. A proposal that somebody dismissed since then stays dismissed.
 */
const withheldDueSql = sql`coalesce(${billingMonths.lookedAt}, ${billingMonths.issuedAt}) < now() - interval '20 hours'
  and (select c.totals ->> 'waiting' = 'true'
              and not exists (select 1 from billing_reviews r
                where r.company_id = c.company_id and r.month_id = c.month_id and r.decided_at > c.created_at
                  and r.state = 'left')
         from billing_computations c
        where c.company_id = ${billingMonths.companyId} and c.month_id = ${billingMonths.id}
        order by c.number desc limit 1)`

/** No event covers changes between the close and the issue, so a newly issued month is reviewed once soon after. */
const neverReviewedSql = sql`${billingMonths.lookedAt} is null and ${billingMonths.issuedAt} > now() - interval '2 days'`

const monthsToReviewSql = (more?: SQL) =>
  and(eq(billingMonths.status, 'issued'), or(newQuantitiesSql, withheldDueSql, neverReviewedSql), more)

/** Enqueues one job per company with months to review, so that a company with many does not delay the others. */
export async function enqueueMonthReviews({ db }: { db: Db }): Promise<void> {
  const rows = await db
    .selectDistinct({ companyId: billingMonths.companyId })
    .from(billingMonths)
    .where(monthsToReviewSql())
  for (const { companyId } of rows) await enqueue(db, 'corrections.news', { companyId }, { once: `${companyId}` })
}

export async function reviewChangedMonths(deps: Deps, { companyId }: { companyId: number }): Promise<void> {
  const rows = await deps.db
    .select()
    .from(billingMonths)
    .where(monthsToReviewSql(eq(billingMonths.companyId, companyId)))
    .orderBy(billingMonths.month)
  for (const row of rows) await reviewMonth(deps, row)
}
