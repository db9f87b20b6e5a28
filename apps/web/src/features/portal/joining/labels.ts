import type { ApplicationState } from '@voisol/contract/joining-labels'
import type { Tone } from '../../../components/badge.tsx'
import { formatCount, formatMoney } from '../../../lib/format.ts'

export const APPLICATION_STATE_TONES: Record<ApplicationState, Tone> = {
  draft: 'neutral',
  verified: 'neutral',
  waiting: 'warning',
  accepted: 'success',
  refused: 'danger',
  withdrawn: 'neutral',
}

type DepartureFacts = { open: number; mandates: number }

/** What follows a departure, in the words of somebody who asks: told before they sign. */
export const describeDepartureConsequences = ({ open, mandates }: DepartureFacts): string[] => [
  'Jusqu’à la veille du départ, rien ne change\u00a0: vous recevez l’énergie partagée.',
  'Une dernière facture suit, pour l’énergie reçue jusque-là.',
  ...(open > 0 ? [`${formatMoney(open)} restent à payer.`] : []),
  ...(mandates > 0
    ? [
        `${formatCount(mandates, 'mandat de prélèvement reste actif', 'mandats de prélèvement restent actifs')} pour cette dernière facture. Vous pouvez ensuite le révoquer dans votre profil.`,
      ]
    : []),
  'Votre fournisseur ne change pas\u00a0: il livre alors toute votre consommation.',
  'Votre espace et vos factures restent lisibles. Vos factures sont gardées dix ans.',
]
