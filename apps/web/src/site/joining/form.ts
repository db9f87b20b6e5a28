import type { FieldSpec } from '../forms/check.ts'

const APPLICANT_KIND_OPTIONS = [
  { value: 'person', label: 'Un particulier' },
  { value: 'organisation', label: 'Une organisation' },
]

/** What is asked before anything is signed. */
export const JOIN_FIELDS: readonly FieldSpec[] = [
  { name: 'firstName', label: 'Prénom', autoComplete: 'given-name', maxLength: 200 },
  { name: 'lastName', label: 'Nom', autoComplete: 'family-name', maxLength: 200 },
  {
    name: 'email',
    label: 'Adresse e-mail',
    type: 'email',
    autoComplete: 'email',
    hint: 'Un lien y est envoyé pour continuer.',
  },
  { name: 'phone', label: 'Téléphone', type: 'tel', autoComplete: 'tel', optional: true, maxLength: 30 },
  { name: 'address', label: 'Adresse du compteur', autoComplete: 'street-address', maxLength: 200 },
  { name: 'postalCode', label: 'Code postal', autoComplete: 'postal-code', maxLength: 5 },
  { name: 'city', label: 'Commune', autoComplete: 'address-level2', maxLength: 200 },
  {
    name: 'prm',
    label: 'Numéro du compteur (PRM)',
    hint: 'Quatorze chiffres, sur votre facture ou sur le compteur.',
    maxLength: 30,
  },
  { name: 'kind', label: 'Vous êtes', type: 'select', options: APPLICANT_KIND_OPTIONS },
  {
    name: 'name',
    label: 'Nom de l’organisation',
    autoComplete: 'organization',
    optional: true,
    hint: 'Si vous n’êtes pas un particulier.',
    maxLength: 200,
  },
  { name: 'message', label: 'Un mot pour l’organisateur', type: 'textarea', optional: true, maxLength: 2000 },
]
