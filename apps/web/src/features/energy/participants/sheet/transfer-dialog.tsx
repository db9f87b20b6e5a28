import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { participants } from '@voisol/contract/participants'
import { type Participation, participations } from '@voisol/contract/points'
import { Day, Id } from '@voisol/contract/primitives'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { SearchBox } from '../../../../components/filter-bar.tsx'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { RadioGroup } from '../../../../components/radio-group.tsx'
import { confirmImpact } from '../../../../lib/confirm-impact.ts'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { dayInputSchema } from '../../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { NewParticipantForm } from '../add/add-dialog.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'

type Props = { participation: Participation; onClose: () => void }
const TransferForm = z.object({
  participantId: z.string().refine((id) => Id.safeParse(id).success, 'Choisissez le nouveau titulaire.'),
  on: Day,
  agreementSignedOn: dayInputSchema,
})

type TransferFieldsProps = Props & { holder?: HolderChoice; onNew: () => void }

function TransferFields({ participation, holder, onNew, onClose }: TransferFieldsProps) {
  const transfer = useAction(participations.transfer, PARTICIPANT_DEPENDENT_QUERIES)
  const form = useSchemaForm(TransferForm, {
    defaults: { participantId: holder?.id ?? '', on: getTodayInParis(), agreementSignedOn: '' },
    save: async (body) => {
      const { id } = participation
      const previewToken = await confirmImpact({ kind: 'transfer', id, body }, 'Changer le titulaire')
      if (!previewToken) return
      const { participantName } = await transfer.run({ params: { id }, body: { ...body, ...previewToken } })
      const description = `Le point est celui ${withDe(participantName)}.`
      toast({ title: 'Titulaire changé', description, variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <HolderPicker
        value={form.watch('participantId')}
        first={holder}
        except={participation.participantId}
        error={form.formState.errors.participantId?.message}
        onChange={(id) => form.setValue('participantId', id, { shouldValidate: form.formState.isSubmitted })}
        onNew={onNew}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="on" label="Jour du changement" hint="Premier jour du nouveau titulaire." type="date" />
        <Field
          form={form}
          name="agreementSignedOn"
          label="Accord signé le"
          hint="Celui du nouveau titulaire."
          type="date"
          optional
        />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Changer le titulaire
      </Button>
    </form>
  )
}

/** The one leaves on the day the other comes in; the other may be somebody new. */
export function TransferDialog({ participation, onClose }: Props) {
  const [holder, setHolder] = useState<HolderChoice>()
  const [adding, setAdding] = useState(false)
  const { participantName, operationName, point } = participation
  return (
    <Dialog
      title={adding ? 'Nouveau participant' : 'Changer le titulaire'}
      description={`PRM ${formatPrm(point.prm)}, aujourd’hui celui ${withDe(participantName)} dans «\u00a0${operationName}\u00a0».`}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {adding ? (
        <NewParticipantForm
          action="Enregistrer et choisir"
          onDone={({ id, name }) => {
            setHolder({ id, name })
            setAdding(false)
          }}
        />
      ) : (
        <TransferFields participation={participation} holder={holder} onNew={() => setAdding(true)} onClose={onClose} />
      )}
    </Dialog>
  )
}

type HolderChoice = { id: string; name: string }
type HolderPickerProps = {
  value: string
  /** Somebody just added, shown first. */
  first?: HolderChoice
  except: string
  error?: string
  onChange: (id: string) => void
  onNew: () => void
}
const MAX_SHOWN_HOLDERS = 6

/** A few people by name; typing narrows them down. */
function HolderPicker({ value, first, except, error, onChange, onNew }: HolderPickerProps) {
  const [q, setQ] = useState('')
  const { data } = useQuery({
    ...query(participants.list, { query: { q: q || undefined, size: MAX_SHOWN_HOLDERS + 1, sort: 'name' } }),
    placeholderData: keepPreviousData,
  })
  const candidates = data?.items.filter(({ id }) => id !== except && id !== first?.id).slice(0, MAX_SHOWN_HOLDERS) ?? []
  const options = [
    ...(first ? [{ value: first.id, label: first.name }] : []),
    ...candidates.map(({ id, name, email, city }) => ({ value: id, label: name, hint: email || city })),
  ]
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <SearchBox label="Rechercher le nouveau titulaire" value={q} onSearch={setQ} className="min-w-56 flex-1" />
        <Button variant="secondary" icon={<UserPlus aria-hidden="true" />} onClick={onNew}>
          Nouveau participant
        </Button>
      </div>
      {data && options.length === 0 && (
        <p role="status" className="text-body text-ink-soft">
          Personne ne porte ce nom.
        </p>
      )}
      {options.length > 0 && (
        <RadioGroup
          label="Nouveau titulaire"
          options={options}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {error && <p className="text-[0.8125rem] text-danger">{error}</p>}
    </div>
  )
}
