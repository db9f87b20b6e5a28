import { type Participant, ParticipantUpdate } from '@voisol/contract/participants'
import type { z } from 'zod'
import { CommuneFields } from '../../../components/commune-fields.tsx'
import { Field } from '../../../components/field.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { toChoices } from '../../../lib/energy-labels.ts'
import type { useSchemaForm } from '../../../lib/form.ts'
import { PARTICIPANT_KIND_LABELS } from './labels.ts'

type Props = { form: IdentityFormState }
const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'

const PersonNameFields = ({ form }: Props) => (
  <div className={twoColumnsClass}>
    <Field form={form} name="firstName" label="Prénom" autoComplete="off" optional />
    <Field form={form} name="lastName" label="Nom" autoComplete="off" />
  </div>
)

const OrganisationFields = ({ form }: Props) => (
  <>
    <div className={twoColumnsClass}>
      <Field form={form} name="name" label="Nom de l’organisation" autoComplete="off" />
      <Field form={form} name="siren" label="SIREN" inputMode="numeric" placeholder="552 081 317" optional />
    </div>
    <div className={twoColumnsClass}>
      <Field form={form} name="firstName" label="Prénom du contact" autoComplete="off" optional />
      <Field form={form} name="lastName" label="Nom du contact" autoComplete="off" optional />
    </div>
  </>
)

/** Who somebody is and how to reach them. */
export function IdentityFields({ form }: Props) {
  const kind = form.watch('kind')
  return (
    <>
      <RadioGroup label="Type" options={toChoices(PARTICIPANT_KIND_LABELS)} {...form.register('kind')} />
      {kind === 'person' ? <PersonNameFields form={form} /> : <OrganisationFields form={form} />}
      <div className={twoColumnsClass}>
        <Field
          form={form}
          name="email"
          label="Adresse e-mail"
          hint="L’invitation au portail y est envoyée."
          type="email"
          autoComplete="off"
          optional
        />
        <Field
          form={form}
          name="phone"
          label="Téléphone"
          hint="Fixe ou mobile."
          type="tel"
          autoComplete="off"
          optional
        />
      </div>
      <Field form={form} name="address" label="Adresse" autoComplete="off" optional />
      <CommuneFields form={form} postalCode="postalCode" city="city" />
    </>
  )
}

/** What is written of somebody, new or known: the record's version is added where there is one. */
export const IdentityForm = ParticipantUpdate.omit({ version: true })
type ParticipantIdentity = z.output<typeof IdentityForm>
type IdentityFormState = ReturnType<typeof useSchemaForm<typeof IdentityForm>>

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
