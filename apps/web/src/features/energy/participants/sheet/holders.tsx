import { useQuery } from '@tanstack/react-query'
import { type Holder, HolderDraft, holders, MAX_HOLDERS } from '@voisol/contract/holders'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Confirm, Dialog } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { withAccess } from '../../../../lib/can.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatDateTime } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { PORTAL_STATUS_LABELS } from '../labels.ts'
import type { Section as SectionPart } from './drawer-section.tsx'

function AddHolderForm({ id, onDone }: { id: string; onDone: () => void }) {
  const add = useAction(holders.add, [holders.list])
  const form = useSchemaForm(HolderDraft, {
    defaults: { email: '', firstName: '', lastName: '' },
    save: async (body) => {
      await add.run({ params: { id }, body })
      toast({ title: 'Cotitulaire ajouté', description: `L’espace s’ouvre à ${body.email}.`, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="firstName" label="Prénom" optional />
      <Field form={form} name="lastName" label="Nom" />
      <Field form={form} name="email" label="Adresse e-mail" type="email" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ouvrir l’espace
      </Button>
    </form>
  )
}

const AddHolderButton = withAccess(holders.add, ({ id }: { id: string }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Ajouter un cotitulaire"
      description="Une personne du même foyer lit le même espace, avec son propre compte. Elle reçoit une invitation."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          Ajouter un cotitulaire
        </Button>
      }
    >
      <AddHolderForm id={id} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const RemoveHolderButton = withAccess(
  holders.remove,
  ({ id, holder: { userId, name } }: { id: string; holder: Holder }) => {
    const remove = useAction(holders.remove, [holders.list])
    return (
      <Confirm
        title={`Retirer l’accès de ${name}\u00a0?`}
        description="Cette personne ne verra plus rien de ce participant. Son compte reste le sien."
        action="Retirer l’accès"
        onConfirm={() => remove.run({ params: { id, userId } })}
        trigger={
          <Button variant="quiet" size="small" aria-label={`Retirer l’accès de ${name}`}>
            Retirer
          </Button>
        }
      />
    )
  },
)

const HolderRow = ({ id, holder }: { id: string; holder: Holder }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 first:pt-0 last:pb-0">
    <span className="min-w-0 wrap-anywhere">
      {holder.name}{' '}
      <Badge tone={PORTAL_STATUS_LABELS[holder.status].tone}>{PORTAL_STATUS_LABELS[holder.status].label}</Badge>
      <span className="block text-[0.8125rem] text-ink-soft">
        {holder.email}
        {holder.lastSignInAt && `, vu le ${formatDateTime(holder.lastSignInAt)}`}
      </span>
    </span>
    <RemoveHolderButton id={id} holder={holder} />
  </li>
)

type Props = { participant: ParticipantDetail; parts: { Section: typeof SectionPart } }

/** Those of the same home, each with an account of their own. */
export default function CoHolders({ participant: { id }, parts: { Section } }: Props) {
  const { data, error, refetch } = useQuery(query(holders.list, { params: { id } }))
  const items = data?.items ?? []
  return (
    <Section title="Cotitulaires" actions={data && items.length < MAX_HOLDERS && <AddHolderButton id={id} />}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {data && items.length === 0 && (
        <p className="text-body text-ink-soft">Personne d’autre ne lit l’espace de ce participant.</p>
      )}
      {items.length > 0 && (
        <ul aria-label="Cotitulaires" className="divide-y divide-line text-body">
          {items.map((holder) => (
            <HolderRow key={holder.userId} id={id} holder={holder} />
          ))}
        </ul>
      )}
    </Section>
  )
}
