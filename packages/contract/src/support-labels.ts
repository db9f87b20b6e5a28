import { z } from 'zod'

/** Who answers: the organiser of the asker's operations, or the keeper of the installation. */
export const SupportTeam = z.enum(['organiser', 'keeper'])
export type SupportTeam = z.infer<typeof SupportTeam>
export const TicketState = z.enum(['new', 'open', 'waiting', 'solved', 'closed'])
export type TicketState = z.infer<typeof TicketState>
export const TicketPriority = z.enum(['low', 'normal', 'high', 'urgent'])
export type TicketPriority = z.infer<typeof TicketPriority>
export const TicketCategory = z.enum(['invoice', 'consumption', 'contract', 'data', 'account', 'other'])
export type TicketCategory = z.infer<typeof TicketCategory>
/** What a question is about, where it is about one thing. */
export const TicketSubjectKind = z.enum(['invoice', 'point', 'day', 'operation'])
export type TicketSubjectKind = z.infer<typeof TicketSubjectKind>

export const TICKET_STATE_LABELS: Record<TicketState, string> = {
  new: 'Nouveau',
  open: 'En cours',
  waiting: 'En attente du demandeur',
  solved: 'Résolu',
  closed: 'Clos',
}
export const TICKET_PRIORITY_LABELS: Record<TicketPriority, string> = {
  low: 'Basse',
  normal: 'Normale',
  high: 'Haute',
  urgent: 'Urgente',
}
export const TICKET_CATEGORY_LABELS: Record<TicketCategory, string> = {
  invoice: 'Facture et paiement',
  consumption: 'Consommation et production',
  contract: 'Participation et contrat',
  data: 'Données et compteur',
  account: 'Compte et connexion',
  other: 'Autre sujet',
}

/** What a canned reply may name; each is filled in when it is taken. */
export const REPLY_FIELDS = {
  prenom: 'Le prénom du demandeur',
  nom: 'Le nom du demandeur',
  numero: 'Le numéro de la demande',
  objet: 'L’objet de la demande',
  operation: 'L’opération du demandeur',
  facture: 'La facture dont il est question',
  organisation: 'Le nom de votre organisation',
  agent: 'Votre nom',
} as const

const FIELD_PATTERN = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The fields of a text that nothing fills. */
export const listUnknownFields = (text: string): string[] =>
  [...text.matchAll(FIELD_PATTERN)].map(([, name = '']) => name).filter((name) => !Object.hasOwn(REPLY_FIELDS, name))

/** The text with its fields filled; what is not known of this ticket stays as it is written, to be seen and mended. */
export const fillReply = (text: string, values: Partial<Record<string, string>>): string =>
  text.replace(FIELD_PATTERN, (written, name: string) => values[name] || written)
