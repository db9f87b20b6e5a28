import { type Participant, ParticipantUpdate } from '@voisol/contract/participants'
import type { z } from 'zod'
import type { useSchemaForm } from '../../lib/form.ts'

/** What is written of somebody, new or known: the record's version is added where there is one. */
export const IdentityForm = ParticipantUpdate.omit({ version: true })
export type Identity = z.output<typeof IdentityForm>
export type IdentityFormState = ReturnType<typeof useSchemaForm<typeof IdentityForm>>

export const NOBODY: Identity = {
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

export function identityOf(participant: Participant): Identity {
  const { kind, name, firstName, lastName, siren, email, phone, address, postalCode, city, notes } = participant
  return { kind, name, firstName, lastName, siren, email, phone, address, postalCode, city, notes }
}

/** Of a person the name is made of the two others: an old one must not stay. */
export const cleared = (identity: Identity): Identity =>
  identity.kind === 'person' ? { ...identity, name: '', siren: '' } : identity
