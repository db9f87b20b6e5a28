import { allocations, type Run, RunKind } from '@voisol/contract/allocations'
import type { Operation } from '@voisol/contract/operations'
import { Day } from '@voisol/contract/primitives'
import { addDays } from '@voisol/energy/calendar'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { z } from 'zod'
import { only } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog, DialogClose } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { type Period, todayInParis } from '../../../ui/period/period.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'

/** People name the last day; the rest of the product names the first day after it. */
const Form = z.object({ from: Day, last: Day, kind: RunKind, estimated: z.boolean() })

const CHOICES = [
  {
    value: 'provisional',
    label: 'Provisoire',
    hint: 'Pour suivre la période\u00a0; refait de lui-même quand de nouveaux relevés arrivent.',
  },
  {
    value: 'definitive',
    label: 'Définitif',
    hint: 'Arrête les chiffres qui serviront à facturer. La clé utilisée ne pourra plus être modifiée.',
  },
]
const ESTIMATE =
  'Sans cette case, un instant sans relevé est laissé de côté et compté. Avec elle, un trou de moins de deux heures est comblé en ligne droite, un plus long par la moyenne des mêmes heures des quatre semaines précédentes\u00a0; le calcul porte alors la mention «\u00a0avec estimations\u00a0».'

const lastOf = ({ to }: Period) => addDays(to < todayInParis() ? to : todayInParis(), -1)

type StartProps = { operation: Operation; period: Period; onStarted: (run: Run) => void }

function StartForm({ operation, period, onStarted }: StartProps) {
  const { run } = useAction(allocations.start, [allocations.list])
  const form = useSchemaForm(Form, {
    defaults: { from: period.from, last: lastOf(period), kind: 'provisional', estimated: false },
    save: async ({ last, ...body }) =>
      onStarted(await run({ params: { id: operation.id }, body: { ...body, to: addDays(last, 1) } })),
  })
  const isDefinitive = form.watch('kind') === 'definitive'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="from" label="Premier jour" type="date" />
        <Field form={form} name="last" label="Dernier jour" type="date" />
      </div>
      <RadioGroup
        label="Nature du calcul"
        options={CHOICES}
        {...form.register('kind', { onChange: () => form.setValue('estimated', false) })}
      />
      {!isDefinitive && (
        <Checkbox {...form.register('estimated')} label="Estimer les relevés manquants" hint={ESTIMATE} />
      )}
      <footer className="flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {isDefinitive ? 'Lancer le calcul définitif' : 'Lancer le calcul'}
        </Button>
      </footer>
    </form>
  )
}

export const StartDialog = only(allocations.start, (props: StartProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Lancer un calcul"
      description="Le calcul se poursuit même si vous quittez la page. Sur des données inchangées, le résultat déjà connu est repris."
      trigger={<Button icon={<Play aria-hidden="true" />}>Lancer un calcul</Button>}
    >
      <StartForm
        {...props}
        onStarted={(run) => {
          setOpen(false)
          props.onStarted(run)
        }}
      />
    </Dialog>
  )
})
