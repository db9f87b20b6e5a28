import type { OperationTerms } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatPriceInput, priceInputSchema } from '../../../lib/price.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const optionalPrice = z.union([z.literal('').transform(() => null), priceInputSchema])
const MONTHS = [1, 2, 3, 6, 12] as const
const monthsField = z.string().transform((text) => MONTHS.find((count) => String(count) === text) ?? 1)
const TermsForm = z.object({
  patrimonial: z.boolean(),
  monthsPerInvoice: monthsField,
  organiserId: z.string().transform((id) => id || null),
  supplierPrice: optionalPrice,
  surplusPrice: optionalPrice,
})
const INVOICE_FREQUENCY_OPTIONS = MONTHS.map((count) => ({
  value: String(count),
  label: count === 1 ? 'Chaque mois' : `Tous les ${count} mois`,
}))

type Props = { operationId: string; name: string; terms: OperationTerms; sellers: Seller[]; onClose: () => void }

function TermsEditForm({ operationId, terms, sellers, onClose }: Props) {
  const save = useAction(parties.saveTerms, [parties.terms])
  const [initialTerms] = useState(terms)
  const form = useSchemaForm(TermsForm, {
    defaults: {
      patrimonial: initialTerms.patrimonial,
      monthsPerInvoice: String(initialTerms.monthsPerInvoice),
      organiserId: initialTerms.organiserId ?? '',
      supplierPrice: formatPriceInput(initialTerms.supplierPrice),
      surplusPrice: formatPriceInput(initialTerms.surplusPrice),
    },
    save: async (body) => {
      await save.run({ params: { id: operationId }, body: { ...body, version: initialTerms.version } })
      toast({ title: 'Conditions enregistrées', variant: 'success' })
      onClose()
    },
  })
  const organisers = sellers.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Checkbox
        label="Opération patrimoniale"
        hint="Producteur et consommateurs sont un même propriétaire&nbsp;: un relevé interne, sans vente."
        {...form.register('patrimonial')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="monthsPerInvoice" label="Factures">
          {(control) => <Select {...control} options={INVOICE_FREQUENCY_OPTIONS} />}
        </Field>
        <Field form={form} name="organiserId" label="Frais facturés par" optional>
          {(control) => <Select {...control} options={[{ value: '', label: 'Personne' }, ...organisers]} />}
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <PriceField
          form={form}
          name="supplierPrice"
          label="Prix d’un fournisseur"
          hint="En c€/kWh, hors taxes."
          optional
        />
        <PriceField form={form} name="surplusPrice" label="Valeur du surplus" hint="En c€/kWh, hors taxes." optional />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les conditions
      </Button>
    </form>
  )
}

export default function TermsDialog(props: Props) {
  return (
    <Dialog
      title="Conditions de facturation"
      description={props.name}
      open
      onOpenChange={(open) => !open && props.onClose()}
    >
      <TermsEditForm {...props} />
    </Dialog>
  )
}
