import {
  CONTENT_CATEGORIES,
  ContentDraft,
  type ContentKind,
  type ContentRecord,
  content,
} from '@voisol/contract/content'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { ApiError, call } from '../../../lib/call.ts'
import { formatNumberInput, numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatParisInput, parseParisInput } from '../../../lib/paris-time.ts'
import { useAction } from '../../../lib/queries.ts'

/** The server names a field inside of what it was sent; here the draft is the whole form. */
function rethrowWithFormPaths(error: unknown): never {
  if (!(error instanceof ApiError) || !error.problem?.issues) throw error
  const issues = error.problem.issues.map((issue) => ({ ...issue, path: issue.path.replace(/^draft\./, '') }))
  throw new ApiError(error.status, JSON.stringify({ ...error.problem, issues }))
}

const isStale = (error: unknown) => error instanceof ApiError && error.code === 'stale'
const CONTENT_DEPENDENT_QUERIES = [content.list, content.versions]
export type ContentEditorProps = {
  kind: ContentKind
  first: ContentRecord | null
  onCreated?: (record: ContentRecord) => void
}

function useSaveContent({ kind, record }: { kind: ContentKind; record: ContentRecord | null }) {
  const create = useAction(content.create, CONTENT_DEPENDENT_QUERIES)
  const save = useAction(content.save, CONTENT_DEPENDENT_QUERIES)
  return (draft: ContentDraft): Promise<ContentRecord> =>
    record
      ? save.run({ params: { id: record.id }, body: { version: record.version, draft } })
      : create.run({ body: { kind, draft } })
}

/** A content while it is written: the form, and the record it started from. */
export function useContentEditor({ kind, first, onCreated }: ContentEditorProps) {
  const [record, setRecord] = useState(first)
  const [stale, setStale] = useState(false)
  const stored = useRef<ContentRecord | null>(null)
  const store = useSaveContent({ kind, record })
  const form = useSchemaForm(ContentDraftForm, {
    defaults: first ? toContentDraftFields(first.draft) : buildEmptyContentFields(kind),
    save: async (draft) => {
      stored.current = await store(draft).catch((error: unknown) => {
        setStale(isStale(error))
        return rethrowWithFormPaths(error)
      })
    },
  })
  /** Takes over what the server holds now; what was typed since is gone. */
  const resetTo = (next: ContentRecord) => {
    form.reset(toContentDraftFields(next.draft))
    setRecord(next)
    setStale(false)
  }
  /** Its state changed, and nothing of what is being written. */
  const updateRecord = setRecord
  /** For what changes its state: a refusal because somebody else was first is told here as well. */
  const rethrowNotingStale = (error: unknown): never => {
    setStale(isStale(error))
    throw error
  }
  /** The record as saved, or nothing where the form says why not. */
  const save = async () => {
    stored.current = null
    await form.submit()
    if (stored.current) resetTo(stored.current)
    if (stored.current && !record) onCreated?.(stored.current)
    return stored.current as ContentRecord | null // set while the form was submitted
  }
  const reload = async () => record && resetTo(await call(content.get, { params: { id: record.id } }))
  const ownId = () => stored.current?.id ?? record?.id
  return {
    kind,
    record,
    form,
    stale,
    adopt: resetTo,
    follow: updateRecord,
    notice: rethrowNotingStale,
    save,
    reload,
    ownId,
    dirty: form.formState.isDirty,
  }
}
export type ContentEditorState = ReturnType<typeof useContentEditor>

const MINUTES_RANGE = { min: 5, max: 600 }

/** The contract's draft as a form types it: numbers and dates are text until they are read. */
const ContentDraftForm = z
  .object({
    ...ContentDraft.shape,
    position: numberInputSchema({ min: 0, max: 10_000 }),
    minutes: z.union([z.literal('').transform(() => null), numberInputSchema(MINUTES_RANGE)]),
    startsAt: z
      .string()
      .refine(
        (text) => text === '' || parseParisInput(text) !== null,
        'Date et heure attendues, par exemple 31/12/2026 18:30.',
      )
      .transform(parseParisInput),
  })
  .refine(({ imageId, imageAlt }) => !imageId || imageAlt !== '', {
    path: ['imageAlt'],
    message: 'Décrivez l’image pour ceux qui ne la voient pas.',
  })
type ContentDraftFields = z.input<typeof ContentDraftForm>

const toContentDraftFields = (draft: ContentDraft): ContentDraftFields => ({
  ...draft,
  position: formatNumberInput(draft.position),
  minutes: draft.minutes === null ? '' : formatNumberInput(draft.minutes),
  startsAt: formatParisInput(draft.startsAt),
})

const buildEmptyContentFields = (kind: ContentKind): ContentDraftFields => ({
  title: '',
  slug: '',
  summary: '',
  author: '',
  position: '100',
  body: '',
  imageId: null,
  imageAlt: '',
  startsAt: '',
  minutes: '',
  speaker: '',
  joinUrl: '',
  category: CONTENT_CATEGORIES[kind][0],
})
