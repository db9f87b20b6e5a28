/** The parts of the service that are measured, and that an incident may concern. */
export const STATUS_PARTS = {
  site: 'Site et espace connecté',
  database: 'Base de données',
  queue: 'File de tâches',
  mail: 'Messagerie',
} as const
export type StatusPartName = keyof typeof STATUS_PARTS

export const INCIDENT_SEVERITY_LABELS = {
  minor: 'Gêne mineure',
  major: 'Gêne importante',
  critical: 'Service interrompu',
} as const

/** What is said of an incident as it goes, and of a maintenance. */
export const INCIDENT_STATES = {
  investigating: 'Étude en cours',
  identified: 'Identifié',
  monitoring: 'Surveillé',
  resolved: 'Résolu',
} as const
const MAINTENANCE_STATES = {
  planned: 'Annoncée',
  ongoing: 'En cours',
  completed: 'Terminée',
  cancelled: 'Annulée',
} as const
export const ALL_INCIDENT_STATES = { ...INCIDENT_STATES, ...MAINTENANCE_STATES }
type IncidentStateName = keyof typeof ALL_INCIDENT_STATES

/** What may be said next; the same again is more news of it, and after the end there is none. */
export const NEXT_INCIDENT_STATES: Record<IncidentStateName, IncidentStateName[]> = {
  investigating: ['investigating', 'identified', 'monitoring', 'resolved'],
  identified: ['identified', 'investigating', 'monitoring', 'resolved'],
  monitoring: ['monitoring', 'investigating', 'identified', 'resolved'],
  resolved: [],
  planned: ['planned', 'ongoing', 'completed', 'cancelled'],
  ongoing: ['ongoing', 'completed'],
  completed: [],
  cancelled: [],
}
