import type { Operation } from '@voisol/contract/operations'
import { PERIMETER_RULES } from '@voisol/energy/perimeter'
import { KEY_METHOD_LABELS, OPERATION_STATUS_LABELS, OPERATION_ZONE_LABELS } from '../../../core/labels.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { formatFrenchDay } from '../../../french.ts'

const formatDayCell = (day: string | null) => (day ? formatFrenchDay(day) : '')
const PARIS_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' })

type OperationColumn = [header: string, cell: (operation: Operation) => string | number | null]
const OPERATION_COLUMNS: OperationColumn[] = [
  ['Nom', (o) => o.name],
  ['Numéro ACC', (o) => o.accNumber],
  ['État', (o) => OPERATION_STATUS_LABELS[o.status]],
  ['Personne morale organisatrice', (o) => o.pmoName],
  ['SIREN', (o) => o.pmoSiren],
  ['Adresse', (o) => o.address],
  ['Code postal', (o) => o.postalCode],
  ['Ville', (o) => o.city],
  ['Périmètre', (o) => PERIMETER_RULES[o.perimeter].label],
  ['Zone', (o) => OPERATION_ZONE_LABELS[o.zone]],
  ['Participants', (o) => o.participants],
  ['Consommateurs', (o) => o.consumers],
  ['Producteurs', (o) => o.producers],
  ['Puissance (kW)', (o) => o.totalCapacity],
  ['Clé en vigueur', (o) => (o.method ? KEY_METHOD_LABELS[o.method] : '')],
  ['Pas (min)', (o) => o.stepMinutes],
  ['Prix (c€/kWh HT)', (o) => (o.unitPrice === null ? null : o.unitPrice / 100)],
  ['Début', (o) => formatDayCell(o.startsOn)],
  ['Fin', (o) => formatDayCell(o.endsOn)],
  ['Relevés reçus sur 30 jours (%)', (o) => (o.completeness === null ? null : Math.round(o.completeness * 1000) / 10)],
  ['Créée le', (o) => PARIS_DATE_FORMAT.format(new Date(o.createdAt))],
]

export const exportOperations = (operations: Operation[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'operations',
    format,
    OPERATION_COLUMNS.map(([header]) => header),
    operations.map((operation) => OPERATION_COLUMNS.map(([, cell]) => cell(operation))),
  )
