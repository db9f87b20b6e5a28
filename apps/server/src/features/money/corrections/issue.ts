import { CAUSE_WORDS } from '@voisol/contract/corrections'
import { addMonths } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingReviews } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { type Computing, lockOperation } from '../billing/billing.ts'
import { keepAndIssue } from './keep.ts'
import { type Proposed, proposalFor } from './proposal.ts'
import { findReview, toReview } from './reviews.ts'

const CHANGED =
  'Les données ont changé depuis que cette régularisation a été affichée\u00a0: la voici de nouveau, à relire.'
async function openReview(tx: Db, actor: Actor, id: string) {
  const found = await findReview(tx, actor, id)
  await lockOperation(tx, found.month.companyId, found.month.operationId)
  const again = await findReview(tx, actor, id)
  if (again.review.state !== 'open')
    throw new AppError('conflict', { message: 'Cette régularisation est déjà décidée.' })
  return again
}

type Issuing = Computing & { secrets: Secrets }

/** The documents of each month, under a computation of its own. */
async function issueMonths(tx: Db, { groups, causes }: Proposed, secrets: Secrets, reviewId: string, by: string) {
  const reason = `${causes.map((cause) => CAUSE_WORDS[cause]).join('. ')}.`
  const cause = { kind: 'correction', reviewId, causes }
  let issued = 0
  // A month that only waits stays as it is; the one that was recomputed is kept in any case.
  for (const group of groups) issued += (await keepAndIssue(tx, group, { secrets, by, reason, cause })).issued
  return issued
}

/** Months whose cents went along have nothing to propose any longer: each is looked at again. */
async function lookAgain(tx: Db, { groups: [, ...others] }: Proposed) {
  for (const { companyId, operationId, month: from } of others.flatMap(({ parts }) => parts.map(({ row }) => row))) {
    const to = addMonths(from, 1)
    await enqueue(
      tx,
      'corrections.look',
      { companyId, operationId, from, to },
      { once: `${operationId} ${from} ${to}` },
    )
  }
}

/** Issues exactly what was shown; pressed twice, the second finds it decided. */
export async function issueReview(ctx: Issuing, tx: Db, actor: Actor, id: string, seal: string) {
  const { review, month } = await openReview(tx, actor, id)
  const proposal = await proposalFor(ctx, tx, month)
  if (!proposal) throw new AppError('conflict', { message: CANNOT })
  if (proposal.seal !== seal) throw new AppError('stale', { message: CHANGED })
  const by = nameOfActor(actor)
  await tx
    .update(billingReviews)
    .set({
      state: 'settled',
      causes: proposal.causes,
      summary: proposal.summary,
      decidedAt: new Date(),
      decidedBy: by,
    })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  const issued = await issueMonths(tx, proposal, ctx.secrets, id, by)
  await lookAgain(tx, proposal)
  return { ...toReview(await findReview(tx, actor, id)), issued }
}

export const CANNOT =
  'Ce mois ne peut pas être recalculé aujourd’hui\u00a0: ouvrez sa liste de contrôle dans la facturation pour voir ce qui manque.'

export async function leaveReview(tx: Db, actor: Actor, id: string, reason: string) {
  const { review } = await openReview(tx, actor, id)
  await tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: nameOfActor(actor) })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  return toReview(await findReview(tx, actor, id))
}
