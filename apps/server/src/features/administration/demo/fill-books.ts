import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, lt } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { loadEntity, lockMonthsThrough } from '../../money/books/books.ts'

/** The last six months stay open, as they would in a real company. */
const OPEN_MONTHS = 6

/** Locks the older months of the books of every seller, as an accountant would have done. Idempotent. */
export async function fillBooks(deps: Deps, actor: Actor, anchor: string): Promise<void> {
  const { companyId } = actor
  const open = addMonths(monthOf(anchor), 1 - OPEN_MONTHS)
  const sold = await deps.db
    .selectDistinct({ id: invoices.sellerId })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), lt(invoices.issuedOn, open)))
  for (const { id } of sold)
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      const entity = await loadEntity(tx, companyId, id)
      await lockMonthsThrough(tx, entity, addMonths(open, -1).slice(0, 7), formatActorName(actor))
    })
}
