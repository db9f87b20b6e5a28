import type { Permission } from './permissions.ts'

type DataSetDefinition = {
  label: string
  permission: Permission
  /** Whether it needs a period; otherwise it gives the present state. */
  period: boolean
  /** Whether it can be limited to an operation or a participant. */
  operation: boolean
  participant: boolean
}
const defineDataSet = (
  label: string,
  permission: Permission,
  ...by: ('period' | 'operation' | 'participant')[]
): DataSetDefinition => ({
  label,
  permission,
  period: by.includes('period'),
  operation: by.includes('operation'),
  participant: by.includes('participant'),
})

/** The data sets that can be exported, read as a feed or sent as a file, each with its own permission. */
export const DATA_SETS = {
  operations: defineDataSet('Opérations', 'operations.read', 'operation'),
  participants: defineDataSet('Participants', 'participants.read', 'operation', 'participant'),
  points: defineDataSet('Points de livraison', 'participants.read', 'operation', 'participant'),
  readings: defineDataSet('Courbes de charge, pas par pas', 'curves.read', 'period', 'operation', 'participant'),
  allocations: defineDataSet('Répartition, pas par pas', 'allocations.read', 'period', 'operation', 'participant'),
  'allocation-days': defineDataSet('Répartition, par jour', 'allocations.read', 'period', 'operation', 'participant'),
  energies: defineDataSet('Énergies par mois et par membre', 'energy.read', 'period', 'operation', 'participant'),
  forecasts: defineDataSet('Prévisions émises, heure par heure', 'energy.read', 'period', 'operation'),
  invoices: defineDataSet('Factures', 'invoices.read', 'period', 'operation', 'participant'),
  'invoice-lines': defineDataSet('Lignes de factures', 'invoices.read', 'period', 'operation', 'participant'),
  payments: defineDataSet('Règlements', 'payments.read', 'period', 'participant'),
  entries: defineDataSet('Écritures comptables', 'books.read', 'period'),
  audit: defineDataSet('Journal d’audit', 'audit.read', 'period', 'operation'),
  events: defineDataSet('Événements', 'flows.read', 'period'),
} as const satisfies Record<string, DataSetDefinition>

export type DataSet = keyof typeof DATA_SETS
export const DATA_SET_IDS = Object.keys(DATA_SETS) as [DataSet, ...DataSet[]] // keys of a literal
export const isDataSet = (name: string): name is DataSet => Object.hasOwn(DATA_SETS, name)
