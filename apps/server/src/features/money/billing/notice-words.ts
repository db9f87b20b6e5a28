import type { CheckItem } from '@voisol/contract/billing'
import type { MonthNotice } from '@voisol/money/issues'
import { formatFrenchDay, formatFrenchNumber } from '../../../french.ts'
import type { FixLinks } from './issue-words.ts'
import type { MonthNames } from './names.ts'

const kwh = (wh: number) => `${formatFrenchNumber(wh / 1000)}\u00a0kWh`

const SPREAD_LEVEL_LABELS = {
  2: 'en suivant ses autres classes horaires',
  3: 'en suivant les autres participants',
  4: 'en parts égales entre les producteurs et les jours',
} as const

/** Warnings that do not block a close; provisional figures have their own item. */
export function toWarningItems(notice: MonthNotice, names: MonthNames, places: FixLinks): CheckItem[] {
  const warn = (sentence: string, href: string): CheckItem[] => [
    { code: notice.code, level: 'warning', sentence, href },
  ]
  switch (notice.code) {
    case 'provisional':
    case 'vatCollectedElsewhere':
      return []
    case 'partlyCovered':
      return warn(
        `Le distributeur ne couvre qu’une partie des jours de ${names.point(notice.prm)}\u00a0: nos chiffres sont facturés.`,
        places.distributor,
      )
    case 'spreadLevel':
      return warn(
        `${kwh(notice.wh)} du distributeur pour ${names.point(notice.prm)} (classe ${notice.class}) n’ont pas d’équivalent dans nos calculs\u00a0: répartis ${SPREAD_LEVEL_LABELS[notice.level]}.`,
        places.distributor,
      )
    case 'rowOutsideMembership':
      return warn(
        `${kwh(notice.wh)} du distributeur pour le compteur ${notice.prm} du ${formatFrenchDay(notice.from)} au ${formatFrenchDay(notice.to)} ne reviennent à aucun participant\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'energyOutsideMembership':
      return warn(
        `${kwh(notice.wattMinutes / 60)} de ${names.member(notice.member)} tombent hors de sa participation\u00a0: ils ne sont pas facturés.`,
        places.participants,
      )
    case 'lastIndexAccepted':
      return warn(
        `L’indice de la règle ${names.rule(notice.rule)} n’est pas publié au ${formatFrenchDay(notice.day)}\u00a0: sa dernière valeur est acceptée.`,
        places.indexes,
      )
  }
}
