import { type ContentDraft, type ContentKind, type ContentRecord, content } from '@voisol/contract/content'
import { useRef, useState } from 'react'
import { ApiError, call } from '../../lib/call.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { DraftForm, emptyFields, fieldsOf } from './form-schema.ts'

/** The server names a field inside of what it was sent; here the draft is the whole form. */
function unwrapped(error: unknown): never {
  if (!(error instanceof ApiError) || !error.problem?.issues) throw error
  const issues = error.problem.issues.map((issue) => ({ ...issue, path: issue.path.replace(/^draft\./, '') }))
  throw new ApiError(error.status, JSON.stringify({ ...error.problem, issues }))
}

const isStale = (error: unknown) => error instanceof ApiError && error.code === 'stale'
const refresh = [content.list, content.versions]
export type Given = { kind: ContentKind; first: ContentRecord | null; onCreated?: (record: ContentRecord) => void }

function useStore({ kind, record }: { kind: ContentKind; record: ContentRecord | null }) {
  const create = useAction(content.create, refresh)
  const save = useAction(content.save, refresh)
  return (draft: ContentDraft): Promise<ContentRecord> =>
    record
      ? save.run({ params: { id: record.id }, body: { version: record.version, draft } })
      : create.run({ body: { kind, draft } })
}

/** A content while it is written: the form, and the record it started from. */
export function useContent({ kind, first, onCreated }: Given) {
  const [record, setRecord] = useState(first)
  const [stale, setStale] = useState(false)
  const stored = useRef<ContentRecord | null>(null)
  const store = useStore({ kind, record })
  const form = useSchemaForm(DraftForm, {
    defaults: first ? fieldsOf(first.draft) : emptyFields(kind),
    save: async (draft) => {
      stored.current = await store(draft).catch((error: unknown) => {
        setStale(isStale(error))
        return unwrapped(error)
      })
    },
  })
  /** Takes over what the server holds now; what was typed since is gone. */
  const adopt = (next: ContentRecord) => {
    form.reset(fieldsOf(next.draft))
    setRecord(next)
    setStale(false)
  }
  /** Its state changed, and nothing of what is being written. */
  const follow = setRecord
  /** For what changes its state: a refusal because somebody else was first is told here as well. */
  const notice = (error: unknown): never => {
    setStale(isStale(error))
    throw error
  }
  /** The record as saved, or nothing where the form says why not. */
  const save = async () => {
    stored.current = null
    await form.submit()
    if (stored.current) adopt(stored.current)
    if (stored.current && !record) onCreated?.(stored.current)
    return stored.current as ContentRecord | null // set while the form was submitted
  }
  const reload = async () => record && adopt(await call(content.get, { params: { id: record.id } }))
  const ownId = () => stored.current?.id ?? record?.id
  return { kind, record, form, stale, adopt, follow, notice, save, reload, ownId, dirty: form.formState.isDirty }
}
export type Writing = ReturnType<typeof useContent>
