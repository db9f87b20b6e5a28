import { SEO_LENGTHS, type SeoRecord, seo } from '@voisol/contract/seo'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { LengthMeter } from '../../ui/length-meter.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { KeywordsField } from './keywords.tsx'
import { SearchPreview, SharePreview } from './previews.tsx'
import { SeoProposals } from './proposals.tsx'

const SeoFieldsSchema = seo.save.body.omit({ path: true, version: true })
type SeoFields = z.input<typeof SeoFieldsSchema>
type SeoPageFormProps = { record: SeoRecord; onDone: () => void; onReload: () => unknown }

function usePageForm({ record, onDone }: SeoPageFormProps) {
  const save = useAction(seo.save, [seo.list])
  const [stale, setStale] = useState(false)
  const { path, version, title, description, keywords, previewImageUrl } = record
  const form = useSchemaForm(SeoFieldsSchema, {
    defaults: { title, description, keywords, previewImageUrl },
    save: async (body) => {
      await save.run({ body: { path, version, ...body } }).catch((error: unknown) => {
        setStale(error instanceof Error && 'code' in error && error.code === 'stale')
        throw error
      })
      toast({ title: 'Référencement enregistré', description: path, variant: 'success' })
      onDone()
    },
  })
  return { form, stale }
}
type PageFormApi = ReturnType<typeof usePageForm>['form']

/** What would be served: what is typed, else what the page says. */
function useServedContent(form: PageFormApi, { own }: SeoRecord) {
  const typed = useWatch({ control: form.control })
  return {
    title: typed.title?.trim() || own.title,
    description: typed.description?.trim() || own.description,
    previewImageUrl: typed.previewImageUrl?.trim() || own.previewImageUrl,
  }
}

function SeoFields({
  form,
  record: { own },
  served,
}: {
  form: PageFormApi
  record: SeoRecord
  served: Required<Pick<SeoFields, 'title' | 'description'>>
}) {
  return (
    <>
      <div className="grid gap-1.5">
        <Field form={form} name="title" label="Titre" placeholder={own.title} autoComplete="off" optional />
        <LengthMeter text={served.title} {...SEO_LENGTHS.title} />
      </div>
      <div className="grid gap-1.5">
        <Field form={form} name="description" label="Description" optional>
          {(control) => <Textarea {...control} rows={3} placeholder={own.description} />}
        </Field>
        <LengthMeter text={served.description} {...SEO_LENGTHS.description} />
      </div>
      <KeywordsField form={form} own={own.keywords} />
      <Field
        form={form}
        name="previewImageUrl"
        label="Image de partage"
        hint="Chemin d’une image de ce site, 1200 × 630 de préférence."
        placeholder={own.previewImageUrl}
        autoComplete="off"
        optional
      />
    </>
  )
}

function ResetButton({ record, onDone }: SeoPageFormProps) {
  const reset = useAction(seo.reset, [seo.list])
  return (
    <Confirm
      trigger={<Button variant="secondary">Revenir à l’original</Button>}
      title="Revenir à l’original&nbsp;?"
      description={`${record.path} servira de nouveau le titre et la description de la page elle-même.`}
      action="Revenir à l’original"
      onConfirm={async () => {
        await reset.run({ query: { path: record.path } })
        toast({ title: 'Référencement d’origine rétabli', description: record.path, variant: 'success' })
        onDone()
      }}
    />
  )
}

export function SeoPageForm(props: SeoPageFormProps) {
  const { record, onReload } = props
  const { form, stale } = usePageForm(props)
  const served = useServedContent(form, record)
  return (
    <div className="grid gap-8 lg:grid-cols-2 [&>*]:min-w-0">
      <form onSubmit={form.submit} noValidate className="grid content-start gap-4">
        <FormErrors form={form} />
        {stale && (
          <Button variant="secondary" className="justify-self-start" onClick={() => void onReload()}>
            Recharger ce qui est enregistré
          </Button>
        )}
        <SeoFields form={form} record={record} served={served} />
        {record.updatedAt && (
          <p className="text-[0.8125rem] text-ink-soft">
            Personnalisé le {formatDateTime(record.updatedAt)} par {record.updatedBy}
          </p>
        )}
        <footer className="flex flex-wrap justify-end gap-2">
          {record.hasRecord && <ResetButton {...props} />}
          <Button type="submit" loading={form.formState.isSubmitting}>
            Enregistrer
          </Button>
        </footer>
      </form>
      <div className="grid content-start gap-6">
        <SearchPreview path={record.path} {...served} />
        <SharePreview {...served} />
        <SeoProposals
          path={record.path}
          onTake={({ title, description, keywords }) => {
            form.setValue('title', title, { shouldDirty: true })
            form.setValue('description', description, { shouldDirty: true })
            form.setValue('keywords', keywords, { shouldDirty: true })
          }}
        />
      </div>
    </div>
  )
}
