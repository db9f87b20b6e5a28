import { CAUSE_WORDS } from '@voisol/contract/corrections'
import { can } from '@voisol/contract/permissions'
import type { Db } from '../../../db/client.ts'
import { ofMonth, plural } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { openReviews } from '../../money/corrections/corrections.ts'
import type { Item } from './attention.ts'

/** Issued months under which something changed, and which wait for somebody's word. */
export async function moneyToSee(db: Db, actor: Actor): Promise<Item[]> {
  if (!can(actor, 'billing.read')) return []
  const { items, total } = await openReviews(db, actor)
  const [first] = items
  if (!first) return []
  const more = total - 1
  const others = more > 0 ? ` Et ${plural(more, 'autre mois', 'autres mois')}.` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-correct',
      title: `${first.operation}\u00a0: facturation ${ofMonth(first.month)} à régulariser`,
      message: `${first.causes.map((cause) => CAUSE_WORDS[cause]).join('. ')}.${others}`,
      url: '/billing?tab=regularisations',
    },
  ]
}
