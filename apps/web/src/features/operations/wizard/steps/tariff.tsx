import { toChoices, VAT_MODE_LABELS } from '../../../../lib/energy-labels.ts'
import { Field } from '../../../../ui/field.tsx'
import { PriceField } from '../../../../ui/price-field.tsx'
import { Select } from '../../../../ui/select.tsx'
import type { DraftForm } from '../use-draft.ts'

export const TariffStep = ({ form }: { form: DraftForm }) => (
  <>
    <p className="prose-width text-body text-ink-soft">
      Le prix auquel les consommateurs achètent l’énergie partagée, hors taxes et hors acheminement. Sans prix,
      l’énergie est comptée mais pas valorisée.
    </p>
    <div className="grid gap-4 sm:grid-cols-2">
      <PriceField
        form={form}
        name="price"
        label="Prix de vente, en c€/kWh"
        hint="Hors taxes&nbsp;: 12,5 pour douze centimes et demi le kWh."
        optional
      />
      <Field form={form} name="vatMode" label="Régime de TVA" hint="Celui du producteur qui vend.">
        {(control) => <Select {...control} options={toChoices(VAT_MODE_LABELS)} />}
      </Field>
    </div>
    <Field
      form={form}
      name="surplusBuyer"
      label="Acheteur du surplus"
      hint="Celui qui achète ce que l’opération ne consomme pas."
      optional
    />
  </>
)
