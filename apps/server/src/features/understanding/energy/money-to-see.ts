import { CAUSE_WORDS } from '@voisol/contract/corrections'
import { can } from '@voisol/contract/permissions'
import type { Db } from '../../../db/client.ts'
import { ofMonth, plural } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { euros } from '../../../papers/decimals.ts'
import { openReviews } from '../../money/corrections/corrections.ts'
import { type Stuck, stuckDeliveries } from '../../money/invoices/invoices.ts'
import { remindersToSend } from '../../money/reminders/reminders.ts'
import type { Item } from './attention.ts'

export const moneyToSee = async (db: Db, actor: Actor): Promise<Item[]> => [
  ...(await toCorrect(db, actor)),
  ...(await undelivered(db, actor)),
  ...(await lateToSee(db, actor)),
]

/** Documents that came back, and those that wait for somebody to deposit them. */
async function undelivered(db: Db, actor: Actor): Promise<Item[]> {
  if (!can(actor, 'invoices.send')) return []
  const stuck = await stuckDeliveries(db, actor)
  const [back, waiting] = [
    stuck.filter(({ state }) => state !== 'waiting'),
    stuck.filter(({ state }) => state === 'waiting'),
  ]
  const item = (
    found: Stuck[],
    about: Pick<Item, 'severity' | 'kind' | 'title'>,
    words: (first: Stuck) => string,
  ): Item[] => {
    const [first] = found
    if (!first) return []
    const others = found.length > 1 ? ` Et ${plural(found.length - 1, 'autre document', 'autres documents')}.` : ''
    return [{ ...about, message: `${words(first)}${others}`, url: `/invoice/${first.id}` }]
  }
  return [
    ...item(
      back,
      {
        severity: 'warning',
        kind: 'delivery-failed',
        title: `${plural(back.length, 'facture n’est pas arrivée', 'factures ne sont pas arrivées')}`,
      },
      ({ number, detail }) => `${number}\u00a0: ${detail}${/[.!?]$/.test(detail) ? '' : '.'}`,
    ),
    ...item(
      waiting,
      {
        severity: 'info',
        kind: 'to-deposit',
        title: `${plural(waiting.length, 'facture', 'factures')} à déposer sur Chorus Pro`,
      },
      ({ number }) => `${number} attend d’être déposée\u00a0; notez ensuite ce qu’elle devient.`,
    ),
  ]
}

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
async function toCorrect(db: Db, actor: Actor): Promise<Item[]> {
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
