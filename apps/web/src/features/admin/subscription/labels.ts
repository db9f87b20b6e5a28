import { PLANS, type PlanPeriod } from '@voisol/contract/plan-prices'
import type { PlanChange } from '@voisol/contract/plan-schemas'
import type { AddOn, Subscription } from '@voisol/contract/subscription'
import type { Tone } from '../../../components/badge.tsx'
import { formatDate, formatMoney } from '../../../lib/format.ts'

export const PERIOD_SUFFIXES: Record<PlanPeriod, string> = { month: 'par mois', year: 'par an' }
export const PLAN_PERIOD_LABELS: Record<PlanPeriod, string> = { month: 'mensuelle', year: 'annuelle' }
export const formatPlanPrice = (cents: number, period: PlanPeriod) =>
  `${formatMoney(cents)} HT ${PERIOD_SUFFIXES[period]}`

type SubscriptionStatus = Pick<Subscription, 'state' | 'readOnly' | 'plan'>
export function getSubscriptionState({ state, readOnly }: SubscriptionStatus): { label: string; tone: Tone } {
  if (readOnly) return { label: 'Lecture seule', tone: 'danger' }
  if (state === 'trial') return { label: 'Essai gratuit', tone: 'warning' }
  return state === 'ending' ? { label: 'S’arrête', tone: 'warning' } : { label: 'En cours', tone: 'success' }
}

export const PLAN_CHANGE_LABELS: Record<PlanChange['kind'], string> = {
  chosen: 'Formule choisie',
  raised: 'Formule changée',
  planned: 'Changement prévu',
  applied: 'Changement prévu appliqué',
  kept: 'Reconduite, le changement prévu étant trop petit',
  renewed: 'Période reconduite',
  left: 'Arrêt demandé pour la fin de la période',
  resumed: 'Arrêt ou changement annulé',
  ended: 'Abonnement terminé',
  refunded: 'Abonnement remboursé',
  granted: 'Formule ouverte sur devis',
}

export const ADD_ON_STATE_LABELS: Record<AddOn['state'], { label: string; tone: Tone }> = {
  ordered: { label: 'Commandée', tone: 'info' },
  running: { label: 'En cours', tone: 'success' },
  ending: { label: 'S’arrête', tone: 'warning' },
  done: { label: 'Terminée', tone: 'neutral' },
}

/** What runs, in a sentence. */
export function describeSubscription(subscription: Subscription): string {
  const { state, plan, period, price, paidTo, trialEndsAt, readOnly, next } = subscription
  if (state === 'trial' && trialEndsAt)
    return readOnly
      ? `Votre essai s’est terminé le ${formatDate(trialEndsAt)}. Tout reste lisible et exportable, et rien n’est effacé\u00a0: choisissez une formule pour reprendre.`
      : `Essai gratuit jusqu’au ${formatDate(trialEndsAt)}, avec tout ce que comprend ${PLANS.professional.name}. Rien n’est facturé.`
  if (state === 'ended') return 'Votre abonnement est terminé. Tout reste lisible et exportable, et rien n’est effacé.'
  const priceText = price === null ? '' : `${formatPlanPrice(price, period)}, `
  const end = paidTo ? formatDate(paidTo) : ''
  if (state === 'ending') return `${priceText}payée jusqu’au ${end}, date à laquelle l’abonnement s’arrête.`
  if (next)
    return `${priceText}payée jusqu’au ${end}. Ensuite\u00a0: ${PLANS[next.plan].name}, ${PLAN_PERIOD_LABELS[next.period]}.`
  return plan ? `${priceText}reconduite le ${end}.` : ''
}
