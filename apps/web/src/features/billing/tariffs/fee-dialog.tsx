import type { TariffFee } from '@voisol/contract/tariff-terms'
import { type TariffChoices, tariffs } from '@voisol/contract/tariffs'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { FeeForm, toFeeBody, toFeeForm } from './terms-form.ts'
import { getNextMonthStart } from './version-state.tsx'

type Props = { operationId: string; choices: TariffChoices; fee?: TariffFee; onClose: () => void }

function useSaveFee({ operationId, fee }: Pick<Props, 'operationId' | 'fee'>) {
  const create = useAction(tariffs.createFee, [tariffs.fees])
  const update = useAction(tariffs.updateFee, [tariffs.fees])
  return (body: ReturnType<typeof toFeeBody>) =>
    fee
      ? update.run({ params: { id: fee.id }, body: { ...body, version: fee.version } })
      : create.run({ params: { id: operationId }, body })
}

const PERIOD_OPTIONS = [
  { value: 'month', label: 'Par mois' },
  { value: 'quarter', label: 'Par trimestre' },
  { value: 'year', label: 'Par an' },
]
const VAT_OPTIONS = [
  { value: 'seller', label: 'Celle du vendeur' },
  { value: 'own', label: 'Un taux propre' },
  { value: 'outside', label: 'Hors du champ de la TVA' },
]
const toOptions = (list: { id: string; name: string }[]) => list.map(({ id, name }) => ({ value: id, label: name }))

/** Fees of a fixed amount, counted by the day. Of those a closed month has counted only the end is asked for. */
export default function FeeDialog({ operationId, choices, fee, onClose }: Props) {
  const save = useSaveFee({ operationId, fee })
  const form = useSchemaForm(FeeForm, {
    defaults: toFeeForm(fee, choices.sellers[0]?.id ?? '', choices.openFrom ?? getNextMonthStart()),
    save: async (values) => {
      await save(toFeeBody(values))
      toast({ title: fee ? 'Frais enregistrés' : 'Frais ajoutés', description: values.label, variant: 'success' })
      onClose()
    },
  })
  const used = fee?.used ?? false
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={fee ? `Modifier «\u00a0${fee.label}\u00a0»` : 'Ajouter des frais'}
      description={
        used
          ? 'Un mois clôturé les a comptés\u00a0: seule leur fin peut encore changer.'
          : 'Un montant fixe par membre, compté au jour près à l’entrée et à la sortie.'
      }
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <fieldset disabled={used} className="grid gap-5">
          <Field form={form} name="label" label="Nom sur la facture" placeholder="Adhésion" />
          <Field form={form} name="sellerId" label="Facturés par">
            {(control) => <Select {...control} options={toOptions(choices.sellers)} />}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field form={form} name="amount" label="Montant hors taxes (€)" inputMode="decimal" />
            <Field form={form} name="every" label="Rythme">
              {(control) => <Select {...control} options={PERIOD_OPTIONS} />}
            </Field>
          </div>
          <Checkbox label="Par kVA souscrit" {...form.register('perKva')} />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field form={form} name="vat" label="TVA">
              {(control) => <Select {...control} options={VAT_OPTIONS} />}
            </Field>
            {form.watch('vat') === 'own' && <Field form={form} name="rate" label="Taux (%)" inputMode="decimal" />}
          </div>
          <Field form={form} name="groupId" label="Pour">
            {(control) => (
              <Select
                {...control}
                options={[{ value: '', label: 'Tous les acheteurs' }, ...toOptions(choices.groups)]}
              />
            )}
          </Field>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="startsOn" label="À partir du" type="date" readOnly={used} />
          <Field form={form} name="endsOn" label="Jusqu’au, exclu" type="date" optional />
        </div>
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            {fee ? 'Enregistrer les frais' : 'Ajouter ces frais'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
