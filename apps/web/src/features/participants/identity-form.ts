import { type Participant, ParticipantUpdate } from '@voisol/contract/participants'
import type { z } from 'zod'
import type { useSchemaForm } from '../../lib/form.ts'

/** What is written of somebody, new or known: the record's version is added where there is one. */
export const IdentityForm = ParticipantUpdate.omit({ version: true })
export type ParticipantIdentity = z.output<typeof IdentityForm>
export type IdentityFormState = ReturnType<typeof useSchemaForm<typeof IdentityForm>>

export const EMPTY_IDENTITY: ParticipantIdentity = {
  kind: 'person',
  name: '',
  firstName: '',
  lastName: '',
  siren: '',
  email: '',
  phone: '',
  address: '',
  postalCode: '',
  city: '',
  notes: '',
}

export function toParticipantIdentity(participant: Participant): ParticipantIdentity {
  const { kind, name, firstName, lastName, siren, email, phone, address, postalCode, city, notes } = participant
  return { kind, name, firstName, lastName, siren, email, phone, address, postalCode, city, notes }
}

/** Of a person the name is made of the two others: an old one must not stay. */
export const withoutUnusedNames = (identity: ParticipantIdentity): ParticipantIdentity =>
  identity.kind === 'person' ? { ...identity, name: '', siren: '' } : identity
