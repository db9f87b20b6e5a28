import { CORRECTION_CAUSE_LABELS } from '@voisol/contract/corrections'
import { hasPermission } from '@voisol/contract/permissions'
import type { Db } from '../../../db/client.ts'
import { formatCount, formatMonthWithDe } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { listOpenReviews } from '../../money/corrections/corrections.ts'
import { loadStuckDeliveries, type StuckDelivery } from '../../money/invoices/invoices.ts'
import { countRemindersToSend } from '../../money/reminders/reminders.ts'
import type { AttentionItem } from './attention.ts'

export const checkBilling = async (db: Db, actor: Actor): Promise<AttentionItem[]> => [
  ...(await checkReviewsToDecide(db, actor)),
  ...(await checkStuckDeliveries(db, actor)),
  ...(await checkRemindersToSend(db, actor)),
]

/** Documents that were refused, and those to be deposited by hand. */
async function checkStuckDeliveries(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'invoices.send')) return []
  const stuckItems = await loadStuckDeliveries(db, actor)
  const [failedDeliveries, waiting] = [
    stuckItems.filter(({ state }) => state !== 'waiting'),
    stuckItems.filter(({ state }) => state === 'waiting'),
  ]
  const toItems = (
    found: StuckDelivery[],
    about: Pick<AttentionItem, 'severity' | 'kind' | 'title'>,
    words: (first: StuckDelivery) => string,
  ): AttentionItem[] => {
    const [first] = found
    if (!first) return []
    const others = found.length > 1 ? ` Et ${formatCount(found.length - 1, 'autre document', 'autres documents')}.` : ''
    return [{ ...about, message: `${words(first)}${others}`, url: `/invoice/${first.id}` }]
  }
  return [
    ...toItems(
      failedDeliveries,
      {
        severity: 'warning',
        kind: 'delivery-failed',
        title: `${formatCount(failedDeliveries.length, 'facture n’est pas arrivée', 'factures ne sont pas arrivées')}`,
      },
      ({ number, detail }) => `${number}\u00a0: ${detail}${/[.!?]$/.test(detail) ? '' : '.'}`,
    ),
    ...toItems(
      waiting,
      {
        severity: 'info',
        kind: 'to-deposit',
        title: `${formatCount(waiting.length, 'facture', 'factures')} à déposer sur Chorus Pro`,
      },
      ({ number }) => `${number} attend d’être déposée\u00a0; notez ensuite ce qu’elle devient.`,
    ),
  ]
}

/** Accounts to remind today. */
async function checkRemindersToSend(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'reminders.read')) return []
  const { due, overdue, formal } = await countRemindersToSend(db, actor)
  if (due === 0) return []
  const notices = formal > 0 ? `, dont ${formatCount(formal, 'mise en demeure', 'mises en demeure')} à relire` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-remind',
      title: `${formatCount(due, 'compte', 'comptes')} à relancer`,
      message: `${formatEuros(overdue)} sont en retard${notices}.`,
      url: '/billing?tab=relances',
    },
  ]
}

/** Issued months with changes that wait for a decision. */
async function checkReviewsToDecide(db: Db, actor: Actor): Promise<AttentionItem[]> {
  if (!hasPermission(actor, 'billing.read')) return []
  const { items, total } = await listOpenReviews(db, actor)
  const [first] = items
  if (!first) return []
  const more = total - 1
  const others = more > 0 ? ` Et ${formatCount(more, 'autre mois', 'autres mois')}.` : ''
  return [
    {
      severity: 'warning',
      kind: 'to-correct',
      title: `${first.operation}\u00a0: facturation ${formatMonthWithDe(first.month)} à régulariser`,
      message: `${first.causes.map((cause) => CORRECTION_CAUSE_LABELS[cause]).join('. ')}.${others}`,
      url: '/billing?tab=regularisations',
    },
  ]
}
