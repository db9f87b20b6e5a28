import { type Participation, points } from '@voisol/contract/points'
import { useState } from 'react'
import { only } from '../../../lib/can.tsx'
import { prm } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { TOUCHED } from '../labels.ts'
import { PointFieldset } from '../point-fields.tsx'
import { PointForm, pointText, pointValues } from '../point-form.ts'
import { useRefresh } from './use-refresh.ts'

type Point = Participation['point']

function EditForm({ point, onDone }: { point: Point; onDone: () => void }) {
  const [{ id, version, direction }] = useState(point)
  const update = useAction(points.update, TOUCHED)
  const refresh = useRefresh()
  const form = useSchemaForm(PointForm, {
    defaults: pointText(point),
    save: async (value) => {
      await update.run({ params: { id }, body: { ...pointValues(value), version } }).catch(refresh)
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

export const PointEdit = only(points.update, ({ point }: { point: Point }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Modifier le point"
      description={`PRM ${prm(point.prm)}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Modifier le point ${prm(point.prm)}`}>
          Modifier
        </Button>
      }
    >
      <EditForm point={point} onDone={() => setOpen(false)} />
    </Dialog>
  )
})
