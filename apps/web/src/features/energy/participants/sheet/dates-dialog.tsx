import { type Participation, participations } from '@voisol/contract/points'
import { Day } from '@voisol/contract/primitives'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { confirmImpact } from '../../../../lib/confirm-impact.ts'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { dayInputSchema } from '../../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import type { useRefreshOnError } from './drawer-section.tsx'

type Props = { participation: Participation; onClose: () => void; refresh: ReturnType<typeof useRefreshOnError> }
const DatesForm = z.object({
  startsOn: Day,
  endsOn: dayInputSchema,
  noticeOn: dayInputSchema,
  agreementSignedOn: dayInputSchema,
})

function DatesEditForm({ participation, onClose, refresh }: Props) {
  const [{ id, version, startsOn, endsOn, noticeOn, agreementSignedOn }] = useState(participation)
  const update = useAction(participations.update, PARTICIPANT_DEPENDENT_QUERIES)
  const form = useSchemaForm(DatesForm, {
    defaults: { startsOn, endsOn: endsOn ?? '', noticeOn: noticeOn ?? '', agreementSignedOn: agreementSignedOn ?? '' },
    save: async (dates) => {
      const body = { ...dates, version }
      const previewToken = await confirmImpact({ kind: 'dates', id, body }, 'Enregistrer les dates').catch(refresh)
      if (!previewToken) return
      await update.run({ params: { id }, body: { ...body, ...previewToken } }).catch(refresh)
      toast({ title: 'Dates enregistrées', variant: 'success' })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="startsOn" label="Entrée" hint="Premier jour dans l’opération." type="date" />
        <Field
          form={form}
          name="endsOn"
          label="Sortie"
          hint="Premier jour qui n’en fait plus partie."
          type="date"
          optional
        />
        <Field form={form} name="noticeOn" label="Date de la notification" type="date" optional />
        <Field form={form} name="agreementSignedOn" label="Accord signé le" type="date" optional />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les dates
      </Button>
    </form>
  )
}

export const ParticipationDatesDialog = ({ participation, onClose, refresh }: Props) => (
  <Dialog
    title="Dates de la participation"
    description={`${participation.operationName}, PRM ${formatPrm(participation.point.prm)}`}
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <DatesEditForm participation={participation} onClose={onClose} refresh={refresh} />
  </Dialog>
)
