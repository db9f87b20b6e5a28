import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { Card } from '../../../components/card.tsx'
import { Field } from '../../../components/field.tsx'
import { Input, Textarea } from '../../../components/input.tsx'
import { LengthMeter } from '../../../components/length-meter.tsx'
import type { ContentEditorState } from './use-content.ts'

const SUMMARY_LENGTH = { min: 70, max: 160 }

/** The address follows the title for as long as nobody has written another one. */
function useProposedSlug({ form, record }: ContentEditorState, locked: boolean) {
  const title = useWatch({ control: form.control, name: 'title' })
  const proposed = useRef(record ? slugify(record.draft.title) : '')
  useEffect(() => {
    const next = slugify(title ?? '')
    if (!locked && next !== proposed.current && form.getValues('slug') === proposed.current)
      form.setValue('slug', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    proposed.current = next
  }, [title, locked, form])
}

function SummaryField({ writing: { form, kind } }: { writing: ContentEditorState }) {
  const summary = useWatch({ control: form.control, name: 'summary' })
  const hint =
    kind === 'faq'
      ? 'La réponse en une phrase, montrée aussi par les moteurs de recherche.'
      : 'Montré dans les listes, en tête de la page et par les moteurs de recherche.'
  return (
    <div className="grid gap-1.5">
      <Field form={form} name="summary" label={kind === 'faq' ? 'Réponse courte' : 'Résumé'} hint={hint}>
        {(control) => <Textarea {...control} rows={3} />}
      </Field>
      <LengthMeter text={summary ?? ''} {...SUMMARY_LENGTH} />
    </div>
  )
}

export function PresentationFields({ writing }: { writing: ContentEditorState }) {
  const { form, kind, record } = writing
  const locked = Boolean(record?.publishedAt) || kind === 'page'
  useProposedSlug(writing, locked)
  return (
    <Card title="Présentation">
      <div className="grid gap-4">
        <Field form={form} name="title" label={kind === 'faq' ? 'Question' : 'Titre'} autoComplete="off" />
        <Field
          form={form}
          name="slug"
          label="Adresse"
          hint={
            locked
              ? 'Elle ne change plus après la première publication\u00a0: des liens y mènent.'
              : 'Proposée d’après le titre. Elle ne changera plus après la première publication.'
          }
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              readOnly={locked}
              className="read-only:bg-page read-only:text-ink-soft"
            />
          )}
        </Field>
        <SummaryField writing={writing} />
      </div>
    </Card>
  )
}

/** The address proposed for a title: letters and digits without accents, joined by dashes. */
export const slugify = (title: string) =>
  title
    .replace(/œ/gi, 'oe')
    .replace(/æ/gi, 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '')
