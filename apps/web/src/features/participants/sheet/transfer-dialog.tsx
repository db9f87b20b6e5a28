import { withDe } from '@voisol/contract/elision'
import { type Participation, participations } from '@voisol/contract/points'
import { Day, Id } from '@voisol/contract/primitives'
import { useState } from 'react'
import { z } from 'zod'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { dayInputSchema } from '../../../lib/typed-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { NewParticipantForm } from '../add/add-dialog.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { type HolderChoice, HolderPicker } from './holder-picker.tsx'

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
