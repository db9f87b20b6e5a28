import type { Operation } from '@voisol/contract/operations'
import { PERIMETERS } from '@voisol/energy/perimeter'
import { METHOD_LABELS, STATUS_LABELS, ZONE_LABELS } from '../../../core/labels.ts'
import { tableFile } from '../../../files/table-file.ts'
import { frenchDay } from '../../../french.ts'

const dayCell = (day: string | null) => (day ? frenchDay(day) : '')
const inParis = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'Europe/Paris' })

type Column = [header: string, cell: (operation: Operation) => string | number | null]
const COLUMNS: Column[] = [
  ['Nom', (o) => o.name],
  ['Numéro ACC', (o) => o.accNumber],
  ['État', (o) => STATUS_LABELS[o.status]],
  ['Personne morale organisatrice', (o) => o.pmoName],
  ['SIREN', (o) => o.pmoSiren],
  ['Adresse', (o) => o.address],
  ['Code postal', (o) => o.postalCode],
  ['Ville', (o) => o.city],
  ['Périmètre', (o) => PERIMETERS[o.perimeter].label],
  ['Zone', (o) => ZONE_LABELS[o.zone]],
  ['Participants', (o) => o.participants],
  ['Consommateurs', (o) => o.consumers],
  ['Producteurs', (o) => o.producers],
  ['Puissance (kW)', (o) => o.totalCapacity],
  ['Clé en vigueur', (o) => (o.method ? METHOD_LABELS[o.method] : '')],
  ['Pas (min)', (o) => o.stepMinutes],
  ['Prix (c€/kWh HT)', (o) => (o.unitPrice === null ? null : o.unitPrice / 100)],
  ['Début', (o) => dayCell(o.startsOn)],
  ['Fin', (o) => dayCell(o.endsOn)],
  ['Relevés reçus sur 30 jours (%)', (o) => (o.completeness === null ? null : Math.round(o.completeness * 1000) / 10)],
  ['Créée le', (o) => inParis.format(new Date(o.createdAt))],
]

export const operationsFile = (operations: Operation[], format: 'csv' | 'xlsx') =>
  tableFile(
    'operations',
    format,
    COLUMNS.map(([header]) => header),
    operations.map((operation) => COLUMNS.map(([, cell]) => cell(operation))),
  )
