import { CORRECTION_CAUSE_LABELS } from '@voisol/contract/corrections'
import { addMonths } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingReviews } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Secrets } from '../../../secrets.ts'
import { type ComputeContext, lockOperation } from '../billing/billing.ts'
import { storeAndIssueCorrections } from './keep.ts'
import { type CorrectionProposal, computeProposal } from './proposal.ts'
import { loadReview, toReview } from './reviews.ts'

const CHANGED_MESSAGE =
  'Les données ont changé depuis que cette régularisation a été affichée\u00a0: la voici de nouveau, à relire.'
async function lockOpenReview(tx: Db, actor: Actor, id: string) {
  const found = await loadReview(tx, actor, id)
  await lockOperation(tx, found.month.companyId, found.month.operationId)
  const again = await loadReview(tx, actor, id)
  if (again.review.state !== 'open')
    throw new AppError('conflict', { message: 'Cette régularisation est déjà décidée.' })
  return again
}

type IssueReviewContext = ComputeContext & { secrets: Secrets }

/** Issues the documents of each month under a new computation. */
async function issueProposalDocuments(
  tx: Db,
  { groups, causes }: CorrectionProposal,
  secrets: Secrets,
  reviewId: string,
  by: string,
) {
  const reason = `${causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}.`
  const cause = { kind: 'correction', reviewId, causes }
  let issued = 0
  // A month that only has withheld cents is left alone; the recomputed one is stored in any case.
  for (const group of groups)
    issued += (await storeAndIssueCorrections(tx, group, { secrets, by, reason, cause })).issued
  return issued
}

/** The other months whose cents were included have nothing left to propose: each is reviewed again. */
async function enqueueOtherMonths(tx: Db, { groups: [, ...others] }: CorrectionProposal) {
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

/** Issues exactly the proposal that was shown; a second call finds it already decided. */
export async function issueReview(ctx: IssueReviewContext, tx: Db, actor: Actor, id: string, seal: string) {
  const { review, month } = await lockOpenReview(tx, actor, id)
  const proposal = await computeProposal(ctx, tx, month)
  if (!proposal) throw new AppError('conflict', { message: CANNOT_RECOMPUTE_MESSAGE })
  if (proposal.seal !== seal) throw new AppError('stale', { message: CHANGED_MESSAGE })
  const by = formatActorName(actor)
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
  const issued = await issueProposalDocuments(tx, proposal, ctx.secrets, id, by)
  await enqueueOtherMonths(tx, proposal)
  return { ...toReview(await loadReview(tx, actor, id)), issued }
}

export const CANNOT_RECOMPUTE_MESSAGE =
  'Ce mois ne peut pas être recalculé aujourd’hui\u00a0: ouvrez sa liste de contrôle dans la facturation pour voir ce qui manque.'

export async function dismissReview(tx: Db, actor: Actor, id: string, reason: string) {
  const { review } = await lockOpenReview(tx, actor, id)
  await tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: formatActorName(actor) })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  return toReview(await loadReview(tx, actor, id))
}
