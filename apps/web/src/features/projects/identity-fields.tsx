import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { choices } from '../../lib/energy-labels.ts'
import { CommuneFields } from '../../ui/commune-fields.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { NewForm } from './form.ts'
import { KINDS } from './labels.ts'
import { POSITION_FIELD } from './position-field.ts'

type Values = z.input<typeof NewForm>
type Form = Pick<
  UseFormReturn<Values, unknown, z.output<typeof NewForm>>,
  'register' | 'formState' | 'control' | 'setValue'
>

/** What a project is and where it lies: asked at first, and later again. */
export const IdentityFields = ({ form }: { form: Form }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
      <Field form={form} name="name" label="Nom du projet" autoComplete="off" />
      <Field form={form} name="kind" label="Type">
        {(control) => <Select {...control} options={choices(KINDS)} />}
      </Field>
    </div>
    <Field form={form} name="address" label="Adresse" autoComplete="off" optional />
    <CommuneFields form={form} postalCode="postalCode" city="city" />
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
      <Field form={form} name="position" {...POSITION_FIELD} />
      <Field
        form={form}
        name="targetOn"
        label="Mise en service visée"
        hint="Les étapes s’y calent."
        type="date"
        optional
      />
    </div>
  </>
)
