import { ADD_ONS, PLANS } from '@voisol/contract/plan-prices'
import { NOBODY, siteCompany } from '../../../core/site-company.ts'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import { type Db, writeFor } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { companyOf } from './find.ts'

type Names = 'trial.warned' | 'subscription.changed' | 'subscription.invoiced' | 'subscription.ordered'
type Words = { type: 'info' | 'warning' | 'success'; title: string; message: string; priority?: 'high' }

const warned = ({ daysLeft, lastDay }: Heard<'trial.warned'>['data']): Words => ({
  type: 'warning',
  priority: 'high',
  title: daysLeft === 1 ? 'Votre essai se termine demain' : `Votre essai se termine dans ${daysLeft}\u00a0jours`,
  message: `L’essai gratuit va jusqu’au ${longDay(lastDay)}. Ensuite, tout reste lisible et exportable, et rien n’est effacé\u00a0; choisissez une formule pour continuer à travailler.`,
})

/** What nobody of the company did themselves, or what takes effect later. */
function changed({ kind, plan, on }: Heard<'subscription.changed'>['data']): Words | undefined {
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
      message: `Le changement prévu a pris effet le ${longDay(on)}.`,
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
      message: `Elle vaut depuis le ${longDay(on)}.`,
    }
  return undefined
}

const invoiced = ({ number, gross, credit }: Heard<'subscription.invoiced'>['data']): Words =>
  credit
    ? { type: 'info', title: `Avoir ${number}`, message: `${euros(gross)} vous sont rendus sur votre abonnement.` }
    : {
        type: 'info',
        title: `Facture d’abonnement ${number}`,
        message: `${euros(gross)} toutes taxes comprises. La facture dit comment la régler.`,
      }

/** Something was ordered that somebody has to do. */
async function tellKeeper(tx: Db, deps: Deps, event: Heard<'subscription.ordered'>) {
  const keeper = await siteCompany(tx)
  if (keeper === NOBODY) return
  const { name } = await companyOf(tx, event.companyId)
  await writeFor(tx, keeper)
  await notify(tx, deps, {
    companyId: keeper,
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
  await writeFor(tx, tx.$company)
}

function wordsOf(event: Heard<Names>): Words | undefined {
  if (event.name === 'trial.warned') return warned(event.data)
  if (event.name === 'subscription.invoiced') return invoiced(event.data)
  if (event.name === 'subscription.changed') return changed(event.data)
  return undefined
}

export const subscriptionSubscriber = subscriber<Names>({
  name: 'subscription',
  on: ['trial.warned', 'subscription.changed', 'subscription.invoiced', 'subscription.ordered'],
  async handle(tx, deps, event) {
    if (event.name === 'subscription.ordered') return tellKeeper(tx, deps, event)
    const words = wordsOf(event)
    if (!words) return
    await notify(tx, deps, {
      companyId: event.companyId,
      at: event.at,
      to: { permission: 'subscription.write' },
      category: 'billing',
      priority: 'normal',
      ...words,
      action: { label: 'Voir l’abonnement', url: '/subscription-plans' },
      key: `${event.name} ${event.seq}`,
    })
  },
})
