import {
  AMOUNT_FREQUENCY_LABELS,
  AMOUNT_KIND_LABELS,
  AmountFrequency,
  AmountKind,
  type PlantAmount,
  type PlantEconomy,
  plants,
} from '@voisol/contract/plants'
import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import { DAY_ERROR } from '../../lib/day-input.ts'
import { formatPointName } from '../../lib/energy-labels.ts'
import { numberInputSchema } from '../../lib/field-schemas.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, FormErrors } from '../field.tsx'
import { Select } from '../input.tsx'
import { getTodayInParis } from '../period/period.ts'

const KIND_OPTIONS = Object.entries(AMOUNT_KIND_LABELS).map(([value, label]) => ({ value, label }))
const FREQUENCY_OPTIONS = Object.entries(AMOUNT_FREQUENCY_LABELS).map(([value, label]) => ({ value, label }))

type Props = { owner: PlantEconomy; amount: PlantAmount | null; onClose: () => void }

/** What a plant costs or brings, as its papers say. */
export default function AmountDialog({ owner, amount, onClose }: Props) {
  const add = useAction(plants.addAmount, [plants.economies])
  const update = useAction(plants.updateAmount, [plants.economies])
  const form = useSchemaForm(AmountForm, {
    defaults: buildAmountDefaults(amount, owner.plants[0]?.pointId ?? '', getTodayInParis()),
    save: async (value) => {
      const body = toAmountBody(value)
      if (amount) await update.run({ params: { id: amount.id }, body: { ...body, version: amount.version } })
      else await add.run({ params: { pointId: value.pointId }, body })
      toast({ title: 'Montant enregistré', description: owner.name, variant: 'success' })
      onClose()
    },
  })
  const places = owner.plants.map((plant) => ({ value: plant.pointId, label: formatPointName(plant) }))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={amount ? 'Modifier un montant' : 'Ajouter un montant'}
      description={`${owner.name}\u00a0: ce que la centrale coûte ou rapporte, hors factures émises ici.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        {!amount && places.length > 1 && (
          <Field form={form} name="pointId" label="Centrale">
            {(control) => <Select {...control} options={places} />}
          </Field>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="kind" label="Nature">
            {(control) => <Select {...control} options={KIND_OPTIONS} />}
          </Field>
          <Field form={form} name="label" label="Précision" optional />
          <Field form={form} name="amount" label="Montant (€)" inputMode="decimal" />
          <Field form={form} name="every" label="Revient">
            {(control) => <Select {...control} options={FREQUENCY_OPTIONS} />}
          </Field>
          <Field form={form} name="startsOn" label="Première fois" type="date" />
          <Field form={form} name="endsOn" label="Jusqu’au" type="date" optional />
        </div>
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer le montant
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const requiredDay = z.string().pipe(z.iso.date(DAY_ERROR)).pipe(Day)

/** An amount as it is typed: euros, and an end that may stay empty. */
const AmountForm = z.object({
  pointId: z.string().min(1, 'Choisissez la centrale.'),
  kind: AmountKind,
  label: z.string().trim().max(200),
  amount: numberInputSchema({ min: 0.01, max: 100_000_000, scale: 100 }),
  every: AmountFrequency,
  startsOn: requiredDay,
  endsOn: z.union([z.literal(''), requiredDay]),
})

const buildAmountDefaults = (
  amount: PlantAmount | null,
  pointId: string,
  today: string,
): z.input<typeof AmountForm> => ({
  pointId: amount?.pointId ?? pointId,
  kind: amount?.kind ?? 'maintenance',
  label: amount?.label ?? '',
  amount: amount ? String(amount.amount / 100).replace('.', ',') : '',
  every: amount?.every ?? 'year',
  startsOn: amount?.startsOn ?? today,
  endsOn: amount?.endsOn ?? '',
})

const toAmountBody = ({ pointId: _, endsOn, ...rest }: z.output<typeof AmountForm>) => ({
  ...rest,
  endsOn: endsOn || null,
})
