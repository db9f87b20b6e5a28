import type { MonthInput } from '@voisol/money/input'
import type { Db } from '../../../db/client.ts'
import { type ComputeContext, findClosedMonth } from '../billing/billing.ts'
import { buildCellsFromPairs } from '../quantities/quantities.ts'
import { computeCorrections } from './judge.ts'
import { loadMonthGroup, loadRecomputationSource, type RecomputationSource, recomputeBilledMonth } from './proposal.ts'
import { loadCorrectionTerms } from './terms.ts'

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
