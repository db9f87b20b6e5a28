import type { FieldSpec } from './check.ts'

/** Who asks, in every form of the site. */
export const PERSON_FIELDS: readonly FieldSpec[] = [
  { name: 'firstName', label: 'Prénom', autoComplete: 'given-name', maxLength: 200 },
  { name: 'lastName', label: 'Nom', autoComplete: 'family-name', maxLength: 200 },
  { name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 },
  { name: 'company', label: 'Organisation', autoComplete: 'organization', optional: true, maxLength: 200 },
]
