import { PLANS, type PlanPeriod } from '@voisol/contract/plan-prices'
import type { AddOn, Subscription } from '@voisol/contract/subscription'
import type { PlanChange } from '@voisol/contract/subscription-words'
import { date, money } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const PER: Record<PlanPeriod, string> = { month: 'par mois', year: 'par an' }
export const EVERY: Record<PlanPeriod, string> = { month: 'mensuelle', year: 'annuelle' }
export const priceWords = (cents: number, period: PlanPeriod) => `${money(cents)} HT ${PER[period]}`

type Standing = Pick<Subscription, 'state' | 'readOnly' | 'plan'>
export function stateOf({ state, readOnly }: Standing): { label: string; tone: Tone } {
  if (readOnly) return { label: 'Lecture seule', tone: 'danger' }
  if (state === 'trial') return { label: 'Essai gratuit', tone: 'warning' }
  return state === 'ending' ? { label: 'S’arrête', tone: 'warning' } : { label: 'En cours', tone: 'success' }
}

export const CHANGES: Record<PlanChange['kind'], string> = {
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

export const ADD_ON_STATES: Record<AddOn['state'], { label: string; tone: Tone }> = {
  ordered: { label: 'Commandée', tone: 'info' },
  running: { label: 'En cours', tone: 'success' },
  ending: { label: 'S’arrête', tone: 'warning' },
  done: { label: 'Terminée', tone: 'neutral' },
}

export const ADD_ON_TEXTS = {
  training: 'Pour l’équipe qui tient l’opération\u00a0: clés, clôture du mois, lecture des écarts.',
  audit: 'Vos courbes relues par un spécialiste\u00a0: profils, puissance utile, clé recommandée.',
  priority: 'Vos demandes de support passent en tête de file.',
} as const

/** What runs, in a sentence. */
export function summaryOf(subscription: Subscription): string {
  const { state, plan, period, price, paidTo, trialEndsAt, readOnly, next } = subscription
  if (state === 'trial' && trialEndsAt)
    return readOnly
      ? `Votre essai s’est terminé le ${date(trialEndsAt)}. Tout reste lisible et exportable, et rien n’est effacé\u00a0: choisissez une formule pour reprendre.`
      : `Essai gratuit jusqu’au ${date(trialEndsAt)}, avec tout ce que comprend ${PLANS.professional.name}. Rien n’est facturé.`
  if (state === 'ended') return 'Votre abonnement est terminé. Tout reste lisible et exportable, et rien n’est effacé.'
  const paid = price === null ? '' : `${priceWords(price, period)}, `
  const end = paidTo ? date(paidTo) : ''
  if (state === 'ending') return `${paid}payée jusqu’au ${end}, date à laquelle l’abonnement s’arrête.`
  if (next) return `${paid}payée jusqu’au ${end}. Ensuite\u00a0: ${PLANS[next.plan].name}, ${EVERY[next.period]}.`
  return plan ? `${paid}reconduite le ${end}.` : ''
}
