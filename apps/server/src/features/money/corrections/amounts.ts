import type { MonthInput } from '@voisol/money/input'
import type { Db } from '../../../db/client.ts'
import { type Computing, findMonth } from '../billing/billing.ts'
import { cellsUnder } from '../quantities/quantities.ts'
import { judge } from './judge.ts'
import { type Again, againOf, groupOf, recompute } from './proposal.ts'
import { termsFor } from './terms.ts'

type Pairs = Parameters<typeof cellsUnder>[1]

/** What a month would be billed from now; nothing where it was not invoiced. */
export async function billedAgain(db: Db, companyId: number, operationId: string, month: string) {
  const row = await findMonth(db, companyId, operationId, month)
  return row?.status === 'issued' ? againOf(db, row) : undefined
}

const under = ({ now }: Again, pairs: Pairs): MonthInput => ({ ...now.input, cells: cellsUnder(now.quantities, pairs) })

/**
 * By buyer, how much more or less it would owe, tax included: what a regularisation would send or hold, and not what is too old
 * to be claimed. With `pairs`, as if this energy had been shared. Nothing where the month cannot be computed so.
 */
export async function amountsOf(ctx: Computing, db: Db, again: Again, pairs?: Pairs) {
  const now = pairs ? { ...again.now, input: under(again, pairs) } : again.now
  const found = await recompute(ctx, { ...again, now })
  if (!found) return undefined
  const group = await groupOf(db, found.month)
  const [judged] = judge([group], await termsFor(db, again.row.companyId, [group]))
  const amounts = new Map<string, number>()
  for (const { buyer, document, delta } of judged?.corrections ?? [])
    if (document !== 'barred' && delta.gross !== 0) amounts.set(buyer, (amounts.get(buyer) ?? 0) + delta.gross)
  return amounts
}
