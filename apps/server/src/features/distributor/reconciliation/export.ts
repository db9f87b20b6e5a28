import type { DifferenceCause, DifferenceRow } from '@voisol/contract/reconciliation'
import { offsetAt } from '@voisol/energy/calendar'
import { sideLabel } from '../../../core/labels.ts'
import type { Cell } from '../../../files/csv.ts'
import { tableFile } from '../../../files/table-file.ts'
import type { Wanted } from './rows.ts'

const CAUSES: Record<DifferenceCause, string> = {
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
const LEVELS = {
  month: { column: 'Mois', name: 'mois', at: (at: string) => `${at.slice(5, 7)}/${at.slice(0, 4)}` },
  day: { column: 'Jour', name: 'jours', at: (at: string) => at.split('-').reverse().join('/') },
  step: { column: 'Début du pas', name: 'pas', at: stamp },
}

/** Local, with its offset, so that the hour that comes twice in October stays two. */
function stamp(instant: string): string {
  const minute = Date.parse(instant) / 60_000
  const offset = offsetAt(minute)
  return `${new Date((minute + offset) * 60_000).toISOString().slice(0, 16)}+0${offset / 60}:00`
}

const kwh = (wh: number | null) => (wh === null ? null : Math.round(wh * 1000) / 1_000_000)

export function differencesFile(rows: DifferenceRow[], { month, level }: Wanted, format: 'csv' | 'xlsx') {
  const { column, name, at } = LEVELS[level]
  const header = [column, 'PRM', 'Nom', 'Sens', 'Voisol (kWh)', 'Enedis (kWh)', 'Écart (kWh)', 'Cause']
  const cells = rows.map((row): Cell[] => [
    at(row.at),
    row.prm,
    row.label,
    sideLabel(row),
    kwh(row.oursWh),
    kwh(row.theirsWh),
    kwh(row.differenceWh),
    CAUSES[row.cause],
  ])
  return tableFile(`rapprochement-${month.slice(0, 7)}-${name}`, format, header, cells)
}
