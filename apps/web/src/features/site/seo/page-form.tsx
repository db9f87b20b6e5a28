import { SEO_LENGTHS, type SeoContent, type SeoRecord, seo } from '@voisol/contract/seo'
import Sparkles from 'lucide-react/icons/sparkles'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Input, Textarea } from '../../../components/input.tsx'
import { LengthMeter } from '../../../components/length-meter.tsx'
import { getErrorReason } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { SearchPreview, SharePreview } from './previews.tsx'

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

type Proposal = Omit<SeoContent, 'previewImageUrl'>

const ProposalItem = ({ proposal, rank, onTake }: { proposal: Proposal; rank: number; onTake: () => void }) => (
  <li className="grid gap-1 rounded-card border border-line p-4 text-body">
    <p className="font-medium">{proposal.title}</p>
    <p className="text-ink-soft">{proposal.description}</p>
    <p className="text-[0.8125rem] text-ink-soft">{proposal.keywords.join(', ')}</p>
    <Button
      variant="secondary"
      size="small"
      className="mt-1 justify-self-start"
      aria-label={`Reprendre la proposition ${rank}`}
      onClick={onTake}
    >
      Reprendre
    </Button>
  </li>
)

/** Written from the text of the page itself; nothing is saved until one says so. */
const SeoProposals = withAccess(
  seo.generate,
  ({ path, onTake }: { path: string; onTake: (proposal: Proposal) => void }) => {
    const generate = useAction(seo.generate, [])
    const [problem, setProblem] = useState('')
    const generateProposals = () => {
      setProblem('')
      generate.run({ body: { path } }).catch((error: unknown) => setProblem(getErrorReason(error)))
    }
    const applyProposal = (proposal: Proposal) => {
      onTake(proposal)
      toast({ title: 'Proposition reprise', description: 'Relisez-la, puis enregistrez.' })
    }
    return (
      <section aria-label="Propositions" className="grid gap-3">
        <Button
          variant="secondary"
          className="justify-self-start"
          icon={<Sparkles aria-hidden="true" />}
          loading={generate.isPending}
          onClick={generateProposals}
        >
          Proposer d’après la page
        </Button>
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
        <div aria-live="polite">
          {generate.data?.proposals.length === 0 && (
            <p className="text-body text-ink-soft">
              La page ne contient pas assez de texte pour en tirer une proposition.
            </p>
          )}
          <ul className="grid gap-3">
            {generate.data?.proposals.map((proposal, index) => (
              <ProposalItem
                key={`${proposal.title} ${proposal.description}`}
                proposal={proposal}
                rank={index + 1}
                onTake={() => applyProposal(proposal)}
              />
            ))}
          </ul>
        </div>
      </section>
    )
  },
)

type KeywordsSeoFields = z.input<typeof SeoFieldsSchema>
const MAX_KEYWORDS = 20

/** Words typed one after the other; a pasted list is cut at its commas. */
const addKeywords = (old: string[], text: string) => {
  const words = text.split(/[,;\n]/).map((word) => word.trim().slice(0, 60))
  return [...new Set([...old, ...words.filter(Boolean)])].slice(0, MAX_KEYWORDS)
}

const KeywordChip = ({ word, onRemove }: { word: string; onRemove: () => void }) => (
  <li className="inline-flex items-center gap-1 rounded-full bg-slate-100 py-0.5 pr-1 pl-3 text-[0.8125rem] break-all">
    {word}
    <button
      type="button"
      aria-label={`Retirer ${word}`}
      onClick={onRemove}
      className="grid size-6 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-ink/10 hover:text-ink"
    >
      <X aria-hidden="true" className="size-3.5" />
    </button>
  </li>
)

function KeywordsField({
  form,
  own,
}: {
  form: { control: Control<KeywordsSeoFields, unknown, z.output<typeof SeoFieldsSchema>> }
  own: string[]
}) {
  const id = useId()
  const [text, setText] = useState('')
  const { field, fieldState } = useController({ control: form.control, name: 'keywords' })
  const keywords = field.value ?? []
  const addTyped = () => {
    if (text.trim()) field.onChange(addKeywords(keywords, text))
    setText('')
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      addTyped()
    }
    if (event.key === 'Backspace' && text === '') field.onChange(keywords.slice(0, -1))
  }
  return (
    <FieldFrame
      id={id}
      label="Mots-clés"
      hint="Entrée ou virgule après chacun, vingt au plus."
      error={fieldState.error?.message}
      optional
    >
      {keywords.length > 0 && (
        <ul aria-label="Mots-clés choisis" className="flex flex-wrap gap-1.5">
          {keywords.map((word) => (
            <KeywordChip
              key={word}
              word={word}
              onRemove={() => field.onChange(keywords.filter((one) => one !== word))}
            />
          ))}
        </ul>
      )}
      <Input
        id={id}
        aria-describedby={`${id}-hint`}
        value={text}
        autoComplete="off"
        placeholder={keywords.length ? '' : own.join(', ')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        onBlur={addTyped}
      />
    </FieldFrame>
  )
}
