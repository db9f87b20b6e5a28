import type { TariffDiscount } from '@voisol/contract/tariff-terms'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import type { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DiscountForm, toDiscountForm } from './terms-form.ts'
import { getNextMonthStart } from './version-state.tsx'

type Props = { operationId: string; choices: TariffChoices; discount?: TariffDiscount; onClose: () => void }

function useSaveDiscount({ operationId, discount }: Pick<Props, 'operationId' | 'discount'>) {
  const create = useAction(tariffs.createDiscount, [tariffs.discounts])
  const update = useAction(tariffs.updateDiscount, [tariffs.discounts])
  return (body: z.output<typeof DiscountForm>) =>
    discount
      ? update.run({ params: { id: discount.id }, body: { ...body, version: discount.version } })
      : create.run({ params: { id: operationId }, body })
}

const KIND_OPTIONS = [
  { value: 'percent', label: 'Un pourcentage' },
  { value: 'amount', label: 'Un montant' },
]
const toOptions = (all: string, list: { id: string; name: string }[]) => [
  { value: '', label: all },
  ...list.map(({ id, name }) => ({ value: id, label: name })),
]

/** Taken off the energy of each month's document. */
export default function DiscountDialog({ operationId, choices, discount, onClose }: Props) {
  const save = useSaveDiscount({ operationId, discount })
  const form = useSchemaForm(DiscountForm, {
    defaults: toDiscountForm(discount, choices.openFrom ?? getNextMonthStart()),
    save: async (values) => {
      await save(values)
      toast({
        title: discount ? 'Remise enregistrée' : 'Remise ajoutée',
        description: values.label,
        variant: 'success',
      })
      onClose()
    },
  })
  const used = discount?.used ?? false
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={discount ? `Modifier «\u00a0${discount.label}\u00a0»` : 'Ajouter une remise'}
      description={
        used
          ? 'Un mois clôturé l’a comptée\u00a0: seule sa fin peut encore changer.'
          : 'Sur l’énergie de chaque facture, jamais au-delà de son montant.'
      }
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <fieldset disabled={used} className="grid gap-5">
          <Field form={form} name="label" label="Nom sur la facture" placeholder="Fidélité" />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field form={form} name="kind" label="Remise">
              {(control) => <Select {...control} options={KIND_OPTIONS} />}
            </Field>
            <Field
              form={form}
              name="figure"
              label={form.watch('kind') === 'percent' ? 'Pourcentage (%)' : 'Montant hors taxes (€)'}
              inputMode="decimal"
            />
          </div>
          <Field form={form} name="participantId" label="Pour">
            {(control) => <Select {...control} options={toOptions('Tous les acheteurs', choices.buyers)} />}
          </Field>
          <Field form={form} name="sellerId" label="Sur les factures de">
            {(control) => <Select {...control} options={toOptions('Tous les vendeurs', choices.sellers)} />}
          </Field>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            form={form}
            name="startsOn"
            label="À partir du"
            hint="Le premier jour d’un mois."
            type="date"
            readOnly={used}
          />
          <Field
            form={form}
            name="endsOn"
            label="Jusqu’au, exclu"
            hint="Le premier jour d’un mois."
            type="date"
            optional
          />
        </div>
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            {discount ? 'Enregistrer la remise' : 'Ajouter cette remise'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
