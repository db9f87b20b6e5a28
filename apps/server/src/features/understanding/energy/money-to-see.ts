import { CAUSE_WORDS } from '@voisol/contract/corrections'
import { can } from '@voisol/contract/permissions'
import type { Db } from '../../../db/client.ts'
import { ofMonth, plural } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { euros } from '../../../papers/decimals.ts'
import { openReviews } from '../../money/corrections/corrections.ts'
import { remindersToSend } from '../../money/reminders/reminders.ts'
import type { Item } from './attention.ts'

/** Accounts that are to be reminded today. */
async function lateToSee(db: Db, actor: Actor): Promise<Item[]> {
  if (!can(actor, 'reminders.read')) return []
  const { due, overdue, formal } = await remindersToSend(db, actor)
  if (due === 0) return []
  const notices = formal > 0 ? `, dont ${plural(formal, 'mise en demeure', 'mises en demeure')} à relire` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-remind',
      title: `${plural(due, 'compte', 'comptes')} à relancer`,
      message: `${euros(overdue)} sont en retard${notices}.`,
      url: '/billing?tab=relances',
    },
  ]
}

/** Issued months under which something changed, and which wait for somebody's word. */
async function correctionsToSee(db: Db, actor: Actor): Promise<Item[]> {
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

export const moneyToSee = async (db: Db, actor: Actor): Promise<Item[]> => [
  ...(await correctionsToSee(db, actor)),
  ...(await lateToSee(db, actor)),
]
