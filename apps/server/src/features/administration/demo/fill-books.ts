import { addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, lt } from 'drizzle-orm'
import { scopeToCompany, transaction } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { loadEntity, lockMonthsThrough } from '../../money/books/books.ts'

/** Half a year is enough to be looked at; the rest stays open. */
const OPEN_MONTHS = 6

/** The books of whoever had sold by then are locked, as an accountant would have done; done again, nothing changes. */
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
