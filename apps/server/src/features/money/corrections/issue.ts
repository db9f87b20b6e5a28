import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingReviews } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { type Computing, lockOperation, packMonth, totalsOf } from '../billing/billing.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { correctionDrafts } from './drafts.ts'
import { type Corrected, type Proposed, proposalFor } from './proposal.ts'
import { findReview, toReview } from './reviews.ts'

const CHANGED =
  'Les données ont changé depuis que cette régularisation a été affichée\u00a0: la voici de nouveau, à relire.'
const nameOf = ({ firstName, lastName, email }: Actor) => `${firstName} ${lastName}`.trim() || email

async function openReview(tx: Db, actor: Actor, id: string) {
  const found = await findReview(tx, actor, id)
  await lockOperation(tx, found.month)
  const again = await findReview(tx, actor, id)
  if (again.review.state !== 'open')
    throw new AppError('conflict', { message: 'Cette régularisation est déjà décidée.' })
  return again
}

/** Keeps what the month was computed from now, and what stands issued once its documents are. */
async function storeNext(tx: Db, month: Corrected, cause: object, by: string) {
  const { row, last, next, judged } = month
  const outcome = { ...next.outcome, standing: [...judged.standing] }
  const packed = await packMonth({ ...next, outcome })
  const waiting = judged.corrections.some(({ document }) => document === 'held')
  const [made] = await tx
    .insert(billingComputations)
    .values({
      companyId: row.companyId,
      monthId: row.id,
      number: last.number + 1,
      cause,
      ...packed,
      totals: { ...totalsOf({ outcome, input: next.input }), waiting },
      createdBy: by,
    })
    .returning()
  if (!made) throw new Error('a computation is stored')
  return made
}

type Issuing = Computing & { secrets: Secrets }

/** The documents of each month, under a computation of its own. */
async function issueMonths(ctx: Issuing, tx: Db, { months, causes }: Proposed, reviewId: string, by: string) {
  let issued = 0
  for (const month of months) {
    const { companyId, operationId } = month.row
    const sent = month.judged.corrections.some((each) => 'lines' in each) || month.judged.reissued.length > 0
    // A month that only waits stays as it is; the one that was recomputed is kept in any case.
    if (!sent && month !== months[0]) continue
    const computation = await storeNext(tx, month, { kind: 'correction', reviewId, causes }, by)
    const drafts = await correctionDrafts(ctx, tx, month, computation.hash, causes)
    const order = { companyId, operationId, computationId: computation.id, issuedBy: by, drafts }
    issued += (await issueDocuments(tx, order)).issued
  }
  return issued
}

/** Issues exactly what was shown; pressed twice, the second finds it decided. */
export async function issueReview(ctx: Issuing, tx: Db, actor: Actor, id: string, seal: string) {
  const { review, month } = await openReview(tx, actor, id)
  const proposal = await proposalFor(ctx, tx, month)
  if (!proposal) throw new AppError('conflict', { message: CANNOT })
  if (proposal.seal !== seal) throw new AppError('stale', { message: CHANGED })
  const by = nameOf(actor)
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
  const issued = await issueMonths(ctx, tx, proposal, id, by)
  return { ...toReview(await findReview(tx, actor, id)), issued }
}

export const CANNOT =
  'Ce mois ne peut pas être recalculé aujourd’hui\u00a0: ouvrez sa liste de contrôle dans la facturation pour voir ce qui manque.'

export async function leaveReview(tx: Db, actor: Actor, id: string, reason: string) {
  const { review } = await openReview(tx, actor, id)
  await tx
    .update(billingReviews)
    .set({ state: 'left', reason, decidedAt: new Date(), decidedBy: nameOf(actor) })
    .where(and(eq(billingReviews.companyId, review.companyId), eq(billingReviews.id, id)))
  return toReview(await findReview(tx, actor, id))
}
