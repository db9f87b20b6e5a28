import { type Db, forCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { issueReview } from './issue.ts'
import { issuedMonths, lookAt } from './look.ts'
import { proposalFor } from './proposal.ts'
import { listReviews } from './reviews.ts'

export { amountsOf, billedAgain } from './amounts.ts'
export { heldItems } from './held.ts'
export { issuedMonths as billedMonths } from './look.ts'
export type { Again } from './proposal.ts'

const ALL = { page: 1, size: 100, state: 'open' as const }

/** Those that wait for somebody's word, the latest first. */
export const openReviews = (db: Db, actor: Actor) => listReviews(db, actor, ALL)

/** Looks at every issued month of an operation and settles what it finds, as somebody who presses the button would. */
export async function settleOpen(deps: Deps, actor: Actor, operationId: string): Promise<number> {
  const { companyId } = actor
  const months = await issuedMonths(deps.db, { companyId, operationId, from: '2000-01-01', to: null })
  for (const month of months) await lookAt(deps, month)
  const { items } = await listReviews(deps.db, actor, { ...ALL, operationId })
  let issued = 0
  for (const { id, monthId } of items) {
    const month = months.find((row) => row.id === monthId)
    const proposal = month && (await proposalFor(deps, deps.db, month))
    if (!proposal || proposal.changes.length === 0) {
      // Settled along with another month: looked at once more, it is over.
      if (month) await lookAt(deps, month)
      continue
    }
    const done = await transaction(forCompany(deps.db, companyId), (tx) =>
      issueReview({ ...deps }, tx, actor, id, proposal.seal),
    )
    issued += done.issued
  }
  return issued
}
