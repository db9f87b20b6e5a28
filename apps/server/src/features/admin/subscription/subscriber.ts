import { ADD_ONS, PLANS } from '@voisol/contract/plan-prices'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { loadCompanyRow } from './find-subscription.ts'

type SubscriptionEventName = 'trial.warned' | 'subscription.changed' | 'subscription.invoiced' | 'subscription.ordered'
type NotificationText = { type: 'info' | 'warning' | 'success'; title: string; message: string; priority?: 'high' }

const describeTrialWarning = ({ daysLeft, lastDay }: SubscribedEvent<'trial.warned'>['data']): NotificationText => ({
  type: 'warning',
  priority: 'high',
  title: daysLeft === 1 ? 'Votre essai se termine demain' : `Votre essai se termine dans ${daysLeft}\u00a0jours`,
  message: `L’essai gratuit va jusqu’au ${formatLongDay(lastDay)}. Ensuite, tout reste lisible et exportable, et rien n’est effacé\u00a0; choisissez une formule pour continuer à travailler.`,
})

/** Only changes that the company did not make itself, or that take effect later, are notified. */
function describePlanChange({
  kind,
  plan,
  on,
}: SubscribedEvent<'subscription.changed'>['data']): NotificationText | undefined {
  const { name } = PLANS[plan]
  if (kind === 'kept')
    return {
      type: 'warning',
      priority: 'high',
      title: `Votre formule ${name} est reconduite`,
      message: `Le changement prévu n’a pas pu se faire\u00a0: vous utilisez plus de points que la nouvelle formule n’en comprend. Rien n’a été coupé.`,
    }
  if (kind === 'applied')
    return {
      type: 'info',
      title: `Vous êtes passé à la formule ${name}`,
      message: `Le changement prévu a pris effet le ${formatLongDay(on)}.`,
    }
  if (kind === 'ended')
    return {
      type: 'warning',
      priority: 'high',
      title: 'Votre abonnement est terminé',
      message: 'Tout reste lisible et exportable, et rien n’est effacé. Choisissez une formule pour reprendre.',
    }
  if (kind === 'granted')
    return {
      type: 'success',
      title: `La formule ${name} vous est ouverte`,
      message: `Elle vaut depuis le ${formatLongDay(on)}.`,
    }
  return undefined
}

const describeInvoice = ({
  number,
  gross,
  credit,
}: SubscribedEvent<'subscription.invoiced'>['data']): NotificationText =>
  credit
    ? {
        type: 'info',
        title: `Avoir ${number}`,
        message: `${formatEuros(gross)} vous sont rendus sur votre abonnement.`,
      }
    : {
        type: 'info',
        title: `Facture d’abonnement ${number}`,
        message: `${formatEuros(gross)} toutes taxes comprises. La facture dit comment la régler.`,
      }

/** Notifies the installation operator of an ordered option that needs manual work. */
async function notifySiteOwner(tx: Db, deps: Deps, event: SubscribedEvent<'subscription.ordered'>) {
  const siteOwnerId = await loadSiteOwnerId(tx)
  if (siteOwnerId === NO_SITE_OWNER) return
  const { name } = await loadCompanyRow(tx, event.companyId)
  await setWriteCompany(tx, siteOwnerId)
  await notify(tx, deps, {
    companyId: siteOwnerId,
    at: event.at,
    to: { permission: 'installation.write' },
    category: 'system',
    type: 'info',
    priority: 'normal',
    title: `Option commandée\u00a0: ${ADD_ONS[event.data.kind].name}`,
    message: `${name} a commandé cette option.`,
    action: { label: 'Voir les abonnements', url: '/subscription-plans' },
    key: `subscription.ordered ${event.companyId} ${event.data.addOnId}`,
  })
  await setWriteCompany(tx, tx.$company)
}

function describeEvent(event: SubscribedEvent<SubscriptionEventName>): NotificationText | undefined {
  if (event.name === 'trial.warned') return describeTrialWarning(event.data)
  if (event.name === 'subscription.invoiced') return describeInvoice(event.data)
  if (event.name === 'subscription.changed') return describePlanChange(event.data)
  return undefined
}

export const subscriptionSubscriber = defineSubscriber<SubscriptionEventName>({
  name: 'subscription',
  on: ['trial.warned', 'subscription.changed', 'subscription.invoiced', 'subscription.ordered'],
  async handle(tx, deps, event) {
    if (event.name === 'subscription.ordered') return notifySiteOwner(tx, deps, event)
    const notification = describeEvent(event)
    if (!notification) return
    await notify(tx, deps, {
      companyId: event.companyId,
      at: event.at,
      to: { permission: 'subscription.write' },
      category: 'billing',
      priority: 'normal',
      ...notification,
      action: { label: 'Voir l’abonnement', url: '/subscription-plans' },
      key: `${event.name} ${event.seq}`,
    })
  },
})
