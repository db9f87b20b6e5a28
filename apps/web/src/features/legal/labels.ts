import type { LegalField } from '@voisol/contract/legal'

/** The fields in the order of the page. */
export const LEGAL_FIELD_LABELS = [
  { field: 'publisher', label: 'Nom ou dénomination' },
  { field: 'legalForm', label: 'Forme juridique' },
  { field: 'capital', label: 'Capital social' },
  { field: 'siren', label: 'SIREN' },
  { field: 'registry', label: 'Registre du commerce (RCS)' },
  { field: 'vatNumber', label: 'TVA intracommunautaire' },
  { field: 'address', label: 'Adresse du siège' },
  { field: 'email', label: 'Adresse électronique' },
  { field: 'phone', label: 'Téléphone' },
  { field: 'director', label: 'Directeur ou directrice de la publication' },
  { field: 'hostName', label: 'Hébergeur' },
  { field: 'hostAddress', label: 'Adresse de l’hébergeur' },
  { field: 'hostPhone', label: 'Téléphone de l’hébergeur' },
  { field: 'hasOfficer', label: 'Un délégué à la protection des données est désigné' },
  { field: 'officer', label: 'Coordonnées du délégué' },
  { field: 'sellsToConsumers', label: 'Des particuliers sont parmi les clients' },
  { field: 'mediator', label: 'Médiateur de la consommation' },
] as const satisfies readonly { field: LegalField; label: string }[]
type LabelledField = (typeof LEGAL_FIELD_LABELS)[number]['field']

export const getLegalFieldLabel = (field: LabelledField) =>
  LEGAL_FIELD_LABELS.find((row) => row.field === field)?.label ?? ''
