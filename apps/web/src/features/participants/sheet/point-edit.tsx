import { type Participation, points } from '@voisol/contract/points'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import { PointFieldset } from '../point-fields.tsx'
import { PointForm, toPointForm, toPointValues } from '../point-form.ts'
import { useRefreshOnError } from './use-refresh.ts'

type ParticipationPoint = Participation['point']

function PointEditForm({ point, onDone }: { point: ParticipationPoint; onDone: () => void }) {
  const [{ id, version, direction }] = useState(point)
  const update = useAction(points.update, PARTICIPANT_DEPENDENT_QUERIES)
  const refresh = useRefreshOnError()
  const form = useSchemaForm(PointForm, {
    defaults: toPointForm(point),
    save: async (value) => {
      await update.run({ params: { id }, body: { ...toPointValues(value), version } }).catch(refresh)
      toast({ title: 'Point enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <PointFieldset form={form} name={(field) => field} direction={direction} />
      {direction === 'consumption' && <Field form={form} name="label" label="Libellé du point" optional />}
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le point
      </Button>
    </form>
  )
}

export const EditPointButton = withAccess(points.update, ({ point }: { point: ParticipationPoint }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier le point"
      description={`PRM ${formatPrm(point.prm)}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Modifier le point ${formatPrm(point.prm)}`}>
          Modifier
        </Button>
      }
    >
      <PointEditForm point={point} onDone={() => setOpen(false)} />
    </Dialog>
  )
})
