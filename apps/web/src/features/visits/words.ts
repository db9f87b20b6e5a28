import type { VisitChange } from '@voisol/contract/visits'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { formatLongDay } from '../../ui/period/label.ts'

type ChangeSentence = { text: string; to?: string; open?: string }

/** One sentence each, and where there is more to see. */
export function describeVisitChange({ kind, count, day }: VisitChange): ChangeSentence {
  const until = day === null ? '' : `, jusqu’au ${formatLongDay(day)}`
  switch (kind) {
    case 'invoices':
      return {
        text: `${formatCount(count, 'nouveau document est', 'nouveaux documents sont')} dans vos factures.`,
        to: '/client-portal/invoices',
        open: 'Voir mes factures',
      }
    case 'answers':
      return {
        text: `Votre organisateur a répondu à ${count === 1 ? 'votre question' : `${formatNumber(count)} de vos questions`}.`,
        to: '/client-portal/support',
        open: 'Lire sa réponse',
      }
    case 'readings':
      return { text: `Votre compteur a transmis ${formatCount(count, 'jour')} de mesures${until}.` }
    case 'corrected':
      return { text: `Les mesures de ${formatCount(count, 'jour')} ont été corrigées${until}.` }
    case 'key':
      return {
        text: `La règle de partage de l’énergie a changé${day === null ? '' : ` le ${formatLongDay(day)}`}.`,
        to: '/client-portal/why',
        open: 'Comprendre mon partage',
      }
    case 'joined':
      return { text: `${formatCount(count, 'voisin a rejoint', 'voisins ont rejoint')} votre opération.` }
    case 'left':
      return { text: `${formatCount(count, 'voisin a quitté', 'voisins ont quitté')} votre opération.` }
  }
}
