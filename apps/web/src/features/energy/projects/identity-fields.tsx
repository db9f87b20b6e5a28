import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { CommuneFields } from '../../../components/commune-fields.tsx'
import { Field } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { toChoices } from '../../../lib/energy-labels.ts'
import { PROJECT_KIND_LABELS } from './labels.ts'
import { type NewProjectForm, POSITION_FIELD } from './project-form.ts'

type Values = z.input<typeof NewProjectForm>
type Form = Pick<
  UseFormReturn<Values, unknown, z.output<typeof NewProjectForm>>,
  'register' | 'formState' | 'control' | 'setValue'
>

/** What a project is and where it lies: asked at first, and later again. */
export const ProjectIdentityFields = ({ form }: { form: Form }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
      <Field form={form} name="name" label="Nom du projet" autoComplete="off" />
      <Field form={form} name="kind" label="Type">
        {(control) => <Select {...control} options={toChoices(PROJECT_KIND_LABELS)} />}
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
