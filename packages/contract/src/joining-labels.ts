import { z } from 'zod'

/** Somebody comes in, leaves, or leaves because they move. */
export const ApplicationKind = z.enum(['join', 'leave', 'move'])
export type ApplicationKind = z.infer<typeof ApplicationKind>
export const APPLICATION_KIND_LABELS: Record<ApplicationKind, string> = {
  join: 'Entrée',
  leave: 'Départ',
  move: 'Déménagement',
}

/** Written; its address proved; signed; then decided, or taken back. */
export const ApplicationState = z.enum(['draft', 'verified', 'waiting', 'accepted', 'refused', 'withdrawn'])
export type ApplicationState = z.infer<typeof ApplicationState>
export const APPLICATION_STATE_LABELS: Record<ApplicationState, string> = {
  draft: 'Brouillon',
  verified: 'Vérifiée',
  waiting: 'À étudier',
  accepted: 'Acceptée',
  refused: 'Refusée',
  withdrawn: 'Retirée',
}

/** How somebody lives or works there, in a visitor's words: each is a profile of the model. */
export const DWELLING_LABELS = {
  household: 'Un logement',
  'household-electric-heating': 'Un logement chauffé à l’électricité',
  'heat-pump': 'Un logement avec une pompe à chaleur',
  'ev-household': 'Un logement avec une voiture électrique',
  office: 'Des bureaux',
  shop: 'Un commerce',
} as const
export const Dwelling = z.enum(
  Object.keys(DWELLING_LABELS) as [keyof typeof DWELLING_LABELS, ...(keyof typeof DWELLING_LABELS)[]],
) // keys of a literal
