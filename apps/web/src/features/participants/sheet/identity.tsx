import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { only } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { IdentityFields } from '../identity-fields.tsx'
import { cleared, IdentityForm, identityOf } from '../identity-form.ts'
import { TOUCHED } from '../labels.ts'
import { Facts, Section } from './section.tsx'
import { useRefresh } from './use-refresh.ts'

type Props = { participant: ParticipantDetail }

function IdentityEdit({ participant, onDone }: Props & { onDone: () => void }) {
  const update = useAction(participants.update, TOUCHED)
  const refresh = useRefresh()
  // The version of the moment the form was opened: a refresh behind it must not hide that somebody else wrote.
  const [{ id, version }] = useState(participant)
  const form = useSchemaForm(IdentityForm, {
    defaults: identityOf(participant),
    save: async (identity) => {
      await update.run({ params: { id }, body: { ...cleared(identity), version } }).catch(refresh)
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

const grouped = (siren: string) => siren.replace(/\B(?=(\d{3})+$)/g, '\u202f')

const factsOf = ({ kind, siren, firstName, lastName, email, phone, ...place }: ParticipantDetail) => [
  { label: 'Adresse e-mail', value: email },
  { label: 'Téléphone', value: phone },
  { label: 'Adresse', value: [place.address, `${place.postalCode} ${place.city}`.trim()].filter(Boolean).join(', ') },
  ...(kind === 'organisation'
    ? [
        { label: 'SIREN', value: grouped(siren) },
        { label: 'Contact', value: `${firstName} ${lastName}`.trim() },
      ]
    : []),
]

const EditDialog = only(participants.update, ({ participant }: Props) => {
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
      <IdentityEdit participant={participant} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

export const IdentitySection = ({ participant }: Props) => (
  <Section title="Coordonnées" actions={<EditDialog participant={participant} />}>
    <Facts facts={factsOf(participant)} />
  </Section>
)
