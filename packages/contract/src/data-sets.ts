import type { Permission } from './permissions.ts'

type Row = {
  label: string
  permission: Permission
  /** Asked for over some days; otherwise it is given as it stands today. */
  period: boolean
  /** Whether it can be narrowed to an operation, to a participant. */
  operation: boolean
  participant: boolean
}
const row = (label: string, permission: Permission, ...by: ('period' | 'operation' | 'participant')[]): Row => ({
  label,
  permission,
  period: by.includes('period'),
  operation: by.includes('operation'),
  participant: by.includes('participant'),
})

/** The table of what leaves as data: an export, a feed, a file that is sent. Each by the right of its own. */
export const DATA_SETS = {
  operations: row('Opérations', 'operations.read', 'operation'),
  participants: row('Participants', 'participants.read', 'operation', 'participant'),
  points: row('Points de livraison', 'participants.read', 'operation', 'participant'),
  readings: row('Courbes de charge, pas par pas', 'curves.read', 'period', 'operation', 'participant'),
  allocations: row('Répartition, pas par pas', 'allocations.read', 'period', 'operation', 'participant'),
  'allocation-days': row('Répartition, par jour', 'allocations.read', 'period', 'operation', 'participant'),
  energies: row('Énergies par mois et par membre', 'energy.read', 'period', 'operation', 'participant'),
  forecasts: row('Prévisions émises, heure par heure', 'energy.read', 'period', 'operation'),
  invoices: row('Factures', 'invoices.read', 'period', 'operation', 'participant'),
  'invoice-lines': row('Lignes de factures', 'invoices.read', 'period', 'operation', 'participant'),
  payments: row('Règlements', 'payments.read', 'period', 'participant'),
  entries: row('Écritures comptables', 'books.read', 'period'),
  audit: row('Journal d’audit', 'audit.read', 'period', 'operation'),
  events: row('Événements', 'flows.read', 'period'),
} as const satisfies Record<string, Row>

export type DataSet = keyof typeof DATA_SETS
export const dataSetIds = Object.keys(DATA_SETS) as [DataSet, ...DataSet[]] // keys of a literal
export const isDataSet = (name: string): name is DataSet => Object.hasOwn(DATA_SETS, name)
export const dataSetOf = (id: DataSet): Row => DATA_SETS[id]
