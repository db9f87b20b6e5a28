import type { MonthInput } from '@voisol/money/input'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { type ComputeContext, findClosedMonth } from '../month-closing/index.ts'
import { buildCellsFromPairs } from '../quantities/index.ts'
import { computeCorrections, loadCorrectionTerms } from './compute-corrections.ts'
import {
  computeProposal,
  loadMonthGroup,
  loadRecomputationSource,
  type RecomputationSource,
  recomputeBilledMonth,
} from './correction-proposal.ts'
import { issueReview } from './issue-correction.ts'
import { listReviews } from './list-reviews.ts'
import { loadIssuedMonths, reviewMonth } from './review-months.ts'

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

type AllocationPairs = Parameters<typeof buildCellsFromPairs>[1]

/** The data a month would be billed from now; nothing when it was not invoiced. */
export async function findRecomputationSource(db: Db, companyId: number, operationId: string, month: string) {
  const row = await findClosedMonth(db, companyId, operationId, month)
  return row?.status === 'issued' ? loadRecomputationSource(db, row) : undefined
}

const withPairs = ({ now }: RecomputationSource, pairs: AllocationPairs): MonthInput => ({
  ...now.input,
  cells: buildCellsFromPairs(now.quantities, pairs),
})

/**
 * By buyer, how much more or less a correction would bill, VAT included, without what is too old to claim. With
 * `pairs`, as if this allocation had applied. Nothing when the month cannot be computed.
 */
export async function computeCorrectionAmounts(
  ctx: ComputeContext,
  db: Db,
  again: RecomputationSource,
  pairs?: AllocationPairs,
) {
  const now = pairs ? { ...again.now, input: withPairs(again, pairs) } : again.now
  const found = await recomputeBilledMonth(ctx, { ...again, now })
  if (!found) return undefined
  const group = await loadMonthGroup(db, found.month)
  const [groupCorrections] = computeCorrections([group], await loadCorrectionTerms(db, again.row.companyId, [group]))
  const amounts = new Map<string, number>()
  for (const { buyer, document, delta } of groupCorrections?.corrections ?? [])
    if (document !== 'barred' && delta.gross !== 0) amounts.set(buyer, (amounts.get(buyer) ?? 0) + delta.gross)
  return amounts
}
