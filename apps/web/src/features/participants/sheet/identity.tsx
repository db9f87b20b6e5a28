import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { IdentityFields } from '../identity-fields.tsx'
import { IdentityForm, toParticipantIdentity, withoutUnusedNames } from '../identity-form.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { Facts, Section } from './section.tsx'
import { useRefreshOnError } from './use-refresh.ts'

type Props = { participant: ParticipantDetail }

function IdentityEditForm({ participant, onDone }: Props & { onDone: () => void }) {
  const update = useAction(participants.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  // The version of the moment the form was opened: a refresh behind it must not hide that somebody else wrote.
  const [{ id, version }] = useState(participant)
  const form = useSchemaForm(IdentityForm, {
    defaults: toParticipantIdentity(participant),
    save: async (identity) => {
      await update.run({ params: { id }, body: { ...withoutUnusedNames(identity), version } }).catch(refresh)
      toast({ title: 'Coordonnées enregistrées', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <IdentityFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les coordonnées
      </Button>
    </form>
  )
}

const formatSiren = (siren: string) => siren.replace(/\B(?=(\d{3})+$)/g, '\u202f')

const buildIdentityFacts = ({ kind, siren, firstName, lastName, email, phone, ...place }: ParticipantDetail) => [
  { label: 'Adresse e-mail', value: email },
  { label: 'Téléphone', value: phone },
  { label: 'Adresse', value: [place.address, `${place.postalCode} ${place.city}`.trim()].filter(Boolean).join(', ') },
  ...(kind === 'organisation'
    ? [
        { label: 'SIREN', value: formatSiren(siren) },
        { label: 'Contact', value: `${firstName} ${lastName}`.trim() },
      ]
    : []),
]

const EditIdentityButton = withAccess(participants.update, ({ participant }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier les coordonnées"
      description={participant.name}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small" aria-label="Modifier les coordonnées">
          Modifier
        </Button>
      }
    >
      <IdentityEditForm participant={participant} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

export const IdentitySection = ({ participant }: Props) => (
  <Section title="Coordonnées" actions={<EditIdentityButton participant={participant} />}>
    <Facts facts={buildIdentityFacts(participant)} />
  </Section>
)
