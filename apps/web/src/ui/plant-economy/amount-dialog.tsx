import {
  AMOUNT_FREQUENCY_LABELS,
  AMOUNT_KIND_LABELS,
  type PlantAmount,
  type PlantEconomy,
  plants,
} from '@voisol/contract/plants'
import { useSchemaForm } from '../../lib/form.ts'
import { formatPointName } from '../../lib/point-name.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field } from '../field.tsx'
import { FormErrors } from '../form-errors.tsx'
import { getTodayInParis } from '../period/period.ts'
import { Select } from '../select.tsx'
import { AmountForm, buildAmountDefaults, toAmountBody } from './form.ts'

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
