import { CATEGORIES } from '@voisol/contract/content'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { shelfOf } from './labels.ts'
import type { Writing } from './use-content.ts'

/** Where readers find it, and who signs it. */
export function Shelving({ writing: { form, kind } }: { writing: Writing }) {
  const shelves = CATEGORIES[kind].map((value) => ({ value, label: shelfOf(value) }))
  return (
    <Card title="Classement">
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-1">
        <Field form={form} name="category" label="Rubrique">
          {(control) => <Select {...control} options={shelves} />}
        </Field>
        <Field form={form} name="author" label="Auteur" autoComplete="off" optional />
        <Field
          form={form}
          name="position"
          label="Rang dans la rubrique"
          inputMode="numeric"
          hint="Le plus petit vient en premier."
        />
      </div>
    </Card>
  )
}
