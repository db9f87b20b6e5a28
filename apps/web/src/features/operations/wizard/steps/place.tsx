import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { useWatch } from 'react-hook-form'
import { PERIMETER_LABELS, toChoices, ZONE_LABELS } from '../../../../lib/energy-labels.ts'
import { CommuneFields } from '../../../../ui/commune-fields.tsx'
import { Field } from '../../../../ui/field.tsx'
import { RadioGroup } from '../../../../ui/radio-group.tsx'
import { Select } from '../../../../ui/select.tsx'
import { PerimeterCheck } from '../perimeter-check.tsx'
import type { DraftForm } from '../use-draft.ts'

const describePerimeterRule = (perimeter: keyof typeof RULES) => {
  const { km, watts } = RULES[perimeter]
  const reach = km === null ? 'sans limite de distance chiffrée' : `au plus ${km}\u00a0km entre deux points`
  return `${reach}, moins de ${watts / 1_000_000}\u00a0MW`
}

const PerimeterChoice = ({ form }: { form: DraftForm }) => {
  const value = useWatch({ control: form.control, name: 'perimeter' })
  return (
    <RadioGroup
      {...form.register('perimeter')}
      label="Type de périmètre"
      value={value}
      options={toChoices(PERIMETER_LABELS).map((option) => ({ ...option, hint: describePerimeterRule(option.value) }))}
    />
  )
}

export const PlaceStep = ({ form }: { form: DraftForm }) => (
  <>
    <Field form={form} name="address" label="Adresse" placeholder="12 rue du Soleil" optional />
    <CommuneFields form={form} postalCode="postalCode" city="city" />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        form={form}
        name="position"
        label="Coordonnées"
        hint="Latitude et longitude, comme une carte les donne."
        placeholder="45,7601 ; 4,8512"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name="capacity"
        label="Puissance crête prévue, en kWc"
        hint="Celle des producteurs la remplace dès qu’ils sont saisis."
        inputMode="decimal"
        autoComplete="off"
        optional
      />
    </div>
    <PerimeterChoice form={form} />
    <Field form={form} name="zone" label="Zone">
      {(control) => <Select {...control} options={toChoices(ZONE_LABELS)} />}
    </Field>
    <PerimeterCheck form={form} />
  </>
)
