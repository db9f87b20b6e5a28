import { VatMode } from '@voisol/contract/money'
import { parties } from '@voisol/contract/parties'
import { Day } from '@voisol/contract/primitives'
import type { Seller, SellerVat } from '@voisol/contract/sellers'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { numberInputSchema } from '../../../lib/typed-fields.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { formatVatMode, SELLER_VAT_MODE_LABELS } from '../labels.ts'

type Props = { seller: Seller }
const VatForm = z.object({ startsOn: Day, mode: VatMode, rate: numberInputSchema({ min: 0, max: 100, scale: 100 }) })
const MODE_OPTIONS = VatMode.options.map((value) => ({ value, ...SELLER_VAT_MODE_LABELS[value] }))

function NewVatModeForm({ seller: { id }, onDone }: Props & { onDone: () => void }) {
  const add = useAction(parties.addVat, [parties.sellers])
  const form = useSchemaForm(VatForm, {
    defaults: { startsOn: '', mode: 'standard', rate: '20' },
    save: async ({ startsOn, mode, rate }) => {
      await add.run({ params: { id }, body: { startsOn, mode, rate: mode === 'standard' ? rate : 0 } })
      toast({ title: 'Régime de TVA enregistré', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <RadioGroup label="Régime" options={MODE_OPTIONS} {...form.register('mode')} />
      {form.watch('mode') === 'standard' && (
        <Field form={form} name="rate" label="Taux" hint="En pourcentage." inputMode="decimal" autoComplete="off" />
      )}
      <Field
        form={form}
        name="startsOn"
        label="À partir du"
        hint="Un mois entier suit le régime de son dernier jour."
        type="date"
      />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer le régime
      </Button>
    </form>
  )
}

const AddVatModeButton = withAccess(parties.addVat, ({ seller }: Props) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Changer de régime de TVA"
      description="Le régime vaut à partir d’un jour. Ce qui est émis ne change pas."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          {seller.vat.length ? 'Changer de régime' : 'Dire son régime'}
        </Button>
      }
    >
      <NewVatModeForm seller={seller} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

const RemoveVatModeButton = withAccess(parties.removeVat, ({ status: { id, startsOn } }: { status: SellerVat }) => {
  const remove = useAction(parties.removeVat, [parties.sellers])
  return (
    <Confirm
      title="Retirer ce régime&nbsp;?"
      description={`Celui du ${formatDate(startsOn)} n’a servi à aucune facture. Le précédent vaut de nouveau.`}
      action="Retirer le régime"
      onConfirm={() => remove.run({ params: { id } })}
      trigger={
        <Button variant="quiet" size="small" aria-label={`Retirer le régime du ${formatDate(startsOn)}`}>
          Retirer
        </Button>
      }
    />
  )
})

const DOT_CLASSES: Record<SellerVat['state'], string> = {
  past: 'border-line-strong bg-card',
  held: 'border-primary-solid bg-primary-solid',
  future: 'border-primary-solid bg-card',
}

/** The modes one under the other, the newest first: a filled dot holds today. */
const VatTimeline = ({ vat }: { vat: SellerVat[] }) => (
  <ol className="grid gap-3">
    {vat.toReversed().map((status, at) => (
      <li
        key={status.id}
        className="relative grid grid-cols-[0.75rem_minmax(0,1fr)_auto] items-start gap-x-3 text-body"
      >
        {at < vat.length - 1 && (
          <span aria-hidden="true" className="absolute top-4 -bottom-3 left-[0.3125rem] w-0.5 bg-line" />
        )}
        <span
          aria-hidden="true"
          className={cx('relative mt-1 size-3 rounded-full border-2', DOT_CLASSES[status.state])}
        />
        <span className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
            {formatVatMode(status)}
            {status.state === 'held' && <Badge tone="success">En vigueur</Badge>}
            {status.state === 'future' && <Badge tone="info">À venir</Badge>}
          </span>
          <span className="tabular block text-[0.8125rem] text-ink-soft">
            {status.state === 'future' ? 'À partir du' : 'Depuis le'} {formatDate(status.startsOn)} · {status.by}
          </span>
        </span>
        {status.removable && <RemoveVatModeButton status={status} />}
      </li>
    ))}
  </ol>
)

export const VatCard = ({ seller }: Props) => (
  <Card title="Régime de TVA" actions={<AddVatModeButton seller={seller} />}>
    {seller.vat.length ? (
      <VatTimeline vat={seller.vat} />
    ) : (
      <p className="text-body text-ink-soft">Rien n’est dit encore&nbsp;: aucune facture ne peut être faite.</p>
    )}
  </Card>
)
