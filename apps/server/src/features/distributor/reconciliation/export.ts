import type { DifferenceCause, DifferenceRow } from '@voisol/contract/reconciliation'
import { offsetAt } from '@voisol/energy/calendar'
import { formatPointDirection } from '../../../core/labels.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { DifferenceQuery } from './rows.ts'

const CAUSE_LABELS: Record<DifferenceCause, string> = {
  equal: 'Identique',
  rounding: 'Arrondi',
  'missing-data': 'Données manquantes',
  'key-version': 'Version de la clé',
  'membership-dates': 'Dates de participation',
  'swapped-members': 'Membres intervertis',
  'shifted-day': 'Jour décalé',
  'missing-class': 'Classe absente',
  unexplained: 'Inexpliqué',
}
const LEVEL_FORMATS = {
  month: { column: 'Mois', name: 'mois', at: (at: string) => `${at.slice(5, 7)}/${at.slice(0, 4)}` },
  day: { column: 'Jour', name: 'jours', at: (at: string) => at.split('-').reverse().join('/') },
  step: { column: 'Début du pas', name: 'pas', at: formatLocalStamp },
}

/** Local time with its offset, which distinguishes the repeated hour in October. */
function formatLocalStamp(instant: string): string {
  const minute = Date.parse(instant) / 60_000
  const offset = offsetAt(minute)
  return `${new Date((minute + offset) * 60_000).toISOString().slice(0, 16)}+0${offset / 60}:00`
}

const toKwh = (wh: number | null) => (wh === null ? null : Math.round(wh * 1000) / 1_000_000)

export function buildDifferencesFile(rows: DifferenceRow[], { month, level }: DifferenceQuery, format: 'csv' | 'xlsx') {
  const { column, name, at } = LEVEL_FORMATS[level]
  const header = [column, 'PRM', 'Nom', 'Sens', 'Voisol (kWh)', 'Enedis (kWh)', 'Écart (kWh)', 'Cause']
  const cells = rows.map((row): SpreadsheetCell[] => [
    at(row.at),
    row.prm,
    row.label,
    formatPointDirection(row),
    toKwh(row.oursWh),
    toKwh(row.theirsWh),
    toKwh(row.differenceWh),
    CAUSE_LABELS[row.cause],
  ])
  return buildTableFile(`rapprochement-${month.slice(0, 7)}-${name}`, format, header, cells)
}
