import type { CheckItem } from '@voisol/contract/billing'
import type { Notice } from '@voisol/money/issues'
import { frenchDay, frenchNumber } from '../../../french.ts'
import type { Places } from './issue-words.ts'
import type { Names } from './names.ts'

const kwh = (wh: number) => `${frenchNumber(wh / 1000)}\u00a0kWh`

const LEVELS = {
  2: 'en suivant ses autres classes horaires',
  3: 'en suivant les autres participants',
  4: 'en parts égales entre les producteurs et les jours',
} as const

/** What does not stop a close and is shown before it; provisional figures have a line of their own. */
export function noticeItem(notice: Notice, names: Names, places: Places): CheckItem[] {
  const told = (sentence: string, href: string): CheckItem[] => [
    { code: notice.code, level: 'warning', sentence, href },
  ]
  switch (notice.code) {
    case 'provisional':
    case 'vatCollectedElsewhere':
      return []
    case 'partlyCovered':
      return told(
        `Le distributeur ne couvre qu’une partie des jours de ${names.point(notice.prm)}\u00a0: nos chiffres sont facturés.`,
        places.distributor,
      )
    case 'spreadLevel':
      return told(
        `${kwh(notice.wh)} du distributeur pour ${names.point(notice.prm)} (classe ${notice.class}) n’ont pas d’équivalent dans nos calculs\u00a0: répartis ${LEVELS[notice.level]}.`,
        places.distributor,
      )
    case 'rowOutsideMembership':
      return told(
        `${kwh(notice.wh)} du distributeur pour le compteur ${notice.prm} du ${frenchDay(notice.from)} au ${frenchDay(notice.to)} ne reviennent à aucun participant\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'energyOutsideMembership':
      return told(
        `${kwh(notice.wattMinutes / 60)} de ${names.member(notice.member)} tombent hors de sa participation\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'lastIndexAccepted':
      return told(
        `L’indice de la règle ${names.rule(notice.rule)} n’est pas publié au ${frenchDay(notice.day)}\u00a0: sa dernière valeur est acceptée.`,
        places.indexes,
      )
  }
}
