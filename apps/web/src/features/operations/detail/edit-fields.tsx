import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { PERIMETER_LABELS, toChoices, VAT_MODE_LABELS, ZONE_LABELS } from '../../../lib/energy-labels.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { CommuneFields } from '../../../ui/commune-fields.tsx'
import { Field } from '../../../ui/field.tsx'
import { PriceField } from '../../../ui/price-field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Textarea } from '../../../ui/textarea.tsx'
import type { OperationForm } from './edit-form.ts'

type Form = UseFormReturn<z.input<typeof OperationForm>, unknown, OperationForm>

const STEP_OPTIONS = ['5', '10', '15', '30', '60'].map((value) => ({ value, label: `${value}\u00a0minutes` }))
const groupClass = 'grid gap-4 border-t border-line pt-5 first:border-0 first:pt-0 sm:grid-cols-2'

const FieldGroup = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <fieldset className={groupClass}>
    <legend className="sr-only">{title}</legend>
    <p aria-hidden="true" className="text-body font-semibold sm:col-span-2">
      {title}
    </p>
    {children}
  </fieldset>
)

const IdentityFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Identité">
    <Field form={form} name="name" label="Nom de l’opération" />
    <Field form={form} name="accNumber" label="Numéro ACC" placeholder="ACC00000537" optional />
    <Field form={form} name="startsOn" label="Date de début" type="date" optional />
    <Field
      form={form}
      name="endsOn"
      label="Date de fin"
      hint="Premier jour qui n’en fait plus partie."
      type="date"
      optional
    />
    <div className="sm:col-span-2">
      <Field form={form} name="description" label="Description" optional>
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
    </div>
    <Field form={form} name="pmoName" label="Personne morale organisatrice" optional />
    <Field form={form} name="pmoSiren" label="SIREN" inputMode="numeric" optional />
  </FieldGroup>
)

const PlaceFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Adresse et périmètre">
    <Field form={form} name="address" label="Adresse" optional />
    <Field form={form} name="latitude" label="Coordonnées" placeholder="45,7601 ; 4,8512" optional />
    <div className="sm:col-span-2">
      <CommuneFields form={form} postalCode="postalCode" city="city" />
    </div>
    <Field form={form} name="perimeter" label="Type de périmètre">
      {(control) => <Select {...control} options={toChoices(PERIMETER_LABELS)} />}
    </Field>
    <Field form={form} name="zone" label="Zone">
      {(control) => <Select {...control} options={toChoices(ZONE_LABELS)} />}
    </Field>
    <Field
      form={form}
      name="capacityWatts"
      label="Puissance crête prévue, en kWc"
      hint="Celle des producteurs la remplace dès qu’ils sont connus."
      inputMode="decimal"
      optional
    />
    <Field form={form} name="stepMinutes" label="Pas de calcul" hint="En changer demande de recalculer la répartition.">
      {(control) => <Select {...control} options={STEP_OPTIONS} />}
    </Field>
  </FieldGroup>
)

const TariffFields = ({ form }: { form: Form }) => (
  <FieldGroup title="Tarif et horaires">
    <PriceField form={form} name="unitPrice" label="Prix de vente, en c€/kWh hors taxes" optional />
    <Field form={form} name="vatMode" label="Régime de TVA">
      {(control) => <Select {...control} options={toChoices(VAT_MODE_LABELS)} />}
    </Field>
    <Field form={form} name="surplusBuyer" label="Acheteur du surplus" optional />
    <Field
      form={form}
      name="offPeak"
      label="Heures creuses"
      hint="Jusqu’à quatre plages, séparées par des virgules."
      placeholder="22h-6h, 12h-14h"
      optional
    />
    <div className="sm:col-span-2">
      <Checkbox {...form.register('peak')} label="Compter à part les heures de pointe" />
    </div>
  </FieldGroup>
)

export const OperationFields = ({ form }: { form: Form }) => (
  <>
    <IdentityFields form={form} />
    <PlaceFields form={form} />
    <TariffFields form={form} />
  </>
)
