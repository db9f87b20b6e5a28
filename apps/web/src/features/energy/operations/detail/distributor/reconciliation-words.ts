import { DifferenceCause, type ReconciledMonth } from '@voisol/contract/reconciliation'
import { formatMonthYear } from '../../../../../components/period/period-labels.ts'
import { formatCount } from '../../../../../lib/format.ts'

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
export const formatMonthTitle = (month: string) => capitalize(formatMonthYear(month))

const CAUSE_COUNT_LABELS: Record<DifferenceCause, [singular: string, several: string]> = {
  equal: ['identique', 'identiques'],
  rounding: ['arrondi', 'arrondis'],
  'missing-data': ['avec des données manquantes', 'avec des données manquantes'],
  'key-version': ['avec une autre clé', 'avec une autre clé'],
  'membership-dates': ['avec d’autres dates', 'avec d’autres dates'],
  'swapped-members': ['interverti avec un autre', 'intervertis'],
  'shifted-day': ['décalé d’un jour', 'décalés d’un jour'],
  'missing-class': ['sans toutes ses classes', 'sans toutes leurs classes'],
  unexplained: ['inexpliqué', 'inexpliqués'],
}

/** « 12 identiques, 3 arrondis »: how many points there are of each cause. */
export const formatCauseCounts = (causes: ReconciledMonth['causes']) =>
  DifferenceCause.options
    .filter((cause) => (causes[cause] ?? 0) > 0)
    .map((cause) => formatCount(causes[cause] ?? 0, ...CAUSE_COUNT_LABELS[cause]))
    .join(', ')
