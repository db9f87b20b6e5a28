import type { AccountClosureFacts } from '@voisol/contract/closure'
import { formatCount, formatMoney } from '../../lib/format.ts'

/** What ends at once, in the words of somebody who asks. */
export const listImmediateEffects = ({ agreements, elsewhere }: AccountClosureFacts): string[] => [
  'Vous ne pouvez plus ouvrir votre espace, sur aucun appareil.',
  'Vos messages et vos jetons sont supprimés.',
  ...(agreements
    ? [`${formatCount(agreements, 'accord facultatif est retiré', 'accords facultatifs sont retirés')}.`]
    : []),
  elsewhere
    ? 'Votre compte reste ouvert pour les autres organisations où vous êtes.'
    : 'Votre nom, votre adresse e-mail, votre téléphone et vos clés d’accès sont effacés de votre compte.',
]

/** What the account does not decide: it goes on. */
export const listContinuingObligations = ({ running, open }: AccountClosureFacts): string[] => [
  ...(running.length
    ? [
        `Votre participation continue dans ${running.join(', ')}. Pour la quitter, demandez-le d’abord depuis votre profil.`,
      ]
    : []),
  ...(open > 0
    ? [`${formatMoney(open)} restent à payer. Votre organisateur peut vous écrire par la poste ou par e-mail.`]
    : []),
]

/** What the law keeps, and why. */
export const KEPT_DATA_TEXTS = [
  'Vos factures et vos paiements, dix ans\u00a0: le code de commerce le demande (article L123-22).',
  'Vos mesures passées, sous un numéro\u00a0: sans elles, les factures de vos voisins ne se prouvent plus.',
  'La preuve de vos accords, et le journal de vos actions.',
]
