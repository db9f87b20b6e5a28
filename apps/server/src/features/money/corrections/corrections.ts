import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { issueReview } from './issue.ts'
import { loadIssuedMonths, reviewMonth } from './look.ts'
import { computeProposal } from './proposal.ts'
import { listReviews } from './reviews.ts'

export { computeCorrectionAmounts, findRecomputationSource } from './amounts.ts'
export { loadWithheldCheckItems } from './held.ts'
export { loadIssuedMonths as billedMonths } from './look.ts'
export type { RecomputationSource } from './proposal.ts'

const OPEN_REVIEWS_QUERY = { page: 1, size: 100, state: 'open' as const }

/** Reviews that wait for a decision, latest first. */
export const listOpenReviews = (db: Db, actor: Actor) => listReviews(db, actor, OPEN_REVIEWS_QUERY)

/** Reviews every issued month of an operation and issues the corrections found, as a person would do one by one. */
export async function settleOpenReviews(deps: Deps, actor: Actor, operationId: string): Promise<number> {
  const { companyId } = actor
  const months = await loadIssuedMonths(deps.db, { companyId, operationId, from: '2000-01-01', to: null })
  for (const month of months) await reviewMonth(deps, month)
  const { items } = await listReviews(deps.db, actor, { ...OPEN_REVIEWS_QUERY, operationId })
  let issued = 0
  for (const { id, monthId } of items) {
    const month = months.find((row) => row.id === monthId)
    const proposal = month && (await computeProposal(deps, deps.db, month))
    if (!proposal || proposal.changes.length === 0) {
      // Already settled together with another month: reviewing it again closes it.
      if (month) await reviewMonth(deps, month)
      continue
    }
    const done = await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      issueReview({ ...deps }, tx, actor, id, proposal.seal),
    )
    issued += done.issued
  }
  return issued
}
