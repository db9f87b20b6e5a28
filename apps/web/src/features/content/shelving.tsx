import { CONTENT_CATEGORIES } from '@voisol/contract/content'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { getCategoryLabel } from './labels.ts'
import type { ContentEditorState } from './use-content.ts'

/** Where readers find it, and who signs it. */
export function ClassificationFields({ writing: { form, kind } }: { writing: ContentEditorState }) {
  const categoryOptions = CONTENT_CATEGORIES[kind].map((value) => ({ value, label: getCategoryLabel(value) }))
  return (
    <Card title="Classement">
      <div className="grid gap-4 sm:grid-cols-3 xl:grid-cols-1">
        <Field form={form} name="category" label="Rubrique">
          {(control) => <Select {...control} options={categoryOptions} />}
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
