import { and, eq, gt, inArray, lt, max, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { billingComputations, billingMonths, billingReviews } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Secrets } from '../../../secrets.ts'
import { lockOperation, type MonthRow } from '../billing/billing.ts'
import { keepAndIssue } from './keep.ts'
import { type Proposed, proposalFor } from './proposal.ts'

type News = { companyId: number; operationId: string; from: string; to: string | null }

/** The issued months of an operation that days touch. */
export const issuedMonths = (db: Db, { companyId, operationId, from, to }: News): Promise<MonthRow[]> =>
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

const HOUSE = 'Voisol'
const BACK = 'Ce qui est facturé est de nouveau ce que disent les données.'
const OVERTAKEN = 'D’autres données sont venues depuis.'
const HELD = 'Trop peu pour un document\u00a0: retenu jusqu’à la prochaine régularisation.'

const mine = ({ companyId, id }: MonthRow) =>
  and(eq(billingReviews.companyId, companyId), eq(billingReviews.monthId, id), eq(billingReviews.state, 'open'))

/** What was proposed is over. */
const settle = (tx: Db, row: MonthRow, reason: string) =>
  tx.update(billingReviews).set({ state: 'left', reason, decidedAt: new Date(), decidedBy: HOUSE }).where(mine(row))

const sends = ({ summary }: Proposed) => summary.creditNotes + summary.complements + summary.reissued > 0

/** Too little for a document: it is kept, told, and taken up by the next correction; nobody has to press anything. */
async function hold(tx: Db, row: MonthRow, { causes, summary, groups }: Proposed, secrets: Secrets) {
  const [first] = groups
  if (!first) return
  await settle(tx, row, OVERTAKEN)
  const decided = { state: 'settled', decidedAt: new Date(), decidedBy: HOUSE, reason: HELD }
  const about = { companyId: row.companyId, monthId: row.id, causes, summary, raisedAt: new Date() }
  const [review] = await tx
    .insert(billingReviews)
    .values({ ...about, ...decided })
    .returning()
  const cause = { kind: 'correction', reviewId: review?.id, causes }
  await keepAndIssue(tx, first, { secrets, by: HOUSE, reason: HELD, cause })
}

async function raise(tx: Db, row: MonthRow, { causes, summary }: Proposed) {
  const { companyId, id: monthId, operationId, month } = row
  const known = await tx.update(billingReviews).set({ causes, summary }).where(mine(row)).returning()
  if (known.length > 0) return
  const values = { companyId, monthId, causes, summary, state: 'open', raisedAt: new Date() }
  const [made] = await tx.insert(billingReviews).values(values).onConflictDoNothing().returning()
  if (!made) return
  await record(tx, {
    companyId,
    name: 'review.raised',
    object: made.id,
    data: { monthId, operationId, month, reviewId: made.id },
  })
}

/** Cents that other months hold are proposed by these alone: once, and under the month they are of. */
const concerns = ({ groups: [own] }: Proposed) =>
  own !== undefined && own.judged.corrections.length + own.judged.reissued.length > 0

/** Cents that were held already are no news by themselves. */
const isNews = ({ causes }: Proposed) => !causes.includes('held')

/** Whether somebody has corrected the month, or one of its invoice, since the proposal was computed. */
async function isOverrun(tx: Db, row: MonthRow, { groups }: Proposed): Promise<boolean> {
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

const TRIES = 3

/** Holds an issued month against today's data, and proposes what it needs; run again it says the same. */
export async function lookAt(deps: Deps, row: MonthRow, tries = TRIES): Promise<void> {
  const looked = new Date()
  const proposal = await proposalFor(deps, deps.db, row)
  const overrun = await transaction(forCompany(deps.db, row.companyId), async (tx) => {
    await lockOperation(tx, row.companyId, row.operationId)
    if (proposal && (await isOverrun(tx, row, proposal))) return true
    await tx
      .update(billingMonths)
      .set({ lookedAt: looked })
      .where(and(eq(billingMonths.companyId, row.companyId), eq(billingMonths.id, row.id)))
    if (!proposal) return false
    if (!concerns(proposal)) await settle(tx, row, BACK)
    else if (sends(proposal)) await raise(tx, row, proposal)
    else if (isNews(proposal)) await hold(tx, row, proposal, deps.secrets)
    return false
  })
  if (overrun && tries > 1) await lookAt(deps, row, tries - 1)
}

export async function look(deps: Deps, news: News): Promise<void> {
  for (const row of await issuedMonths(deps.db, news)) await lookAt(deps, row)
}
