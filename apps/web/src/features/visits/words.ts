import type { VisitChange } from '@voisol/contract/visits'
import { number, plural } from '../../lib/format.ts'
import { dayLabel } from '../../ui/period/label.ts'

type Told = { text: string; to?: string; open?: string }

/** One sentence each, and where there is more to see. */
export function changeWords({ kind, count, day }: VisitChange): Told {
  const until = day === null ? '' : `, jusqu’au ${dayLabel(day)}`
  switch (kind) {
    case 'invoices':
      return {
        text: `${plural(count, 'nouveau document est', 'nouveaux documents sont')} dans vos factures.`,
        to: '/client-portal/invoices',
        open: 'Voir mes factures',
      }
    case 'answers':
      return {
        text: `Votre organisateur a répondu à ${count === 1 ? 'votre question' : `${number(count)} de vos questions`}.`,
        to: '/client-portal/support',
        open: 'Lire sa réponse',
      }
    case 'readings':
      return { text: `Votre compteur a transmis ${plural(count, 'jour')} de mesures${until}.` }
    case 'corrected':
      return { text: `Les mesures de ${plural(count, 'jour')} ont été corrigées${until}.` }
    case 'key':
      return {
        text: `La règle de partage de l’énergie a changé${day === null ? '' : ` le ${dayLabel(day)}`}.`,
        to: '/client-portal/why',
        open: 'Comprendre mon partage',
      }
    case 'joined':
      return { text: `${plural(count, 'voisin a rejoint', 'voisins ont rejoint')} votre opération.` }
    case 'left':
      return { text: `${plural(count, 'voisin a quitté', 'voisins ont quitté')} votre opération.` }
  }
}
