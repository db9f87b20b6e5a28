import { useEffect, useState } from 'react'
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { useSession } from '../../../lib/session.ts'
import type { Problem } from './check.ts'
import { type Draft, newDraft } from './draft.ts'
import { draftKey, dropDraft, readDraft, writeDraft } from './storage.ts'

export type DraftForm = UseFormReturn<Draft>
const STEP = 'etape'
const LAST = 7
const PAUSE_MS = 200

/** The step is in the address, so that « back » goes a step back. */
function useStep(start: number) {
  const [search, setSearch] = useSearchParams()
  const asked = Number(search.get(STEP) ?? start + 1) - 1
  const written = Number.isInteger(asked) && asked >= 0 && asked <= LAST ? asked : 0
  // The address follows a moment later: the step shows at once, and two quick presses are two steps.
  const [ahead, setAhead] = useState<number | null>(null)
  const [seen, setSeen] = useState(written)
  if (seen !== written) {
    setSeen(written)
    setAhead(null)
  }
  const setStep = (next: number) => {
    setAhead(next)
    setSearch({ [STEP]: String(next + 1) })
  }
  return [ahead ?? written, setStep] as const
}

/** Kept while one types, and once more on the way out. */
function useKeeping(form: DraftForm, key: string, step: number) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => writeDraft(key, { step, draft: form.getValues() })
    keep()
    const watching = form.watch((_, { name }) => {
      if (name) form.clearErrors(name)
      form.clearErrors('root')
      clearTimeout(timer)
      timer = setTimeout(keep, PAUSE_MS)
    })
    const leave = () => {
      if (timer === undefined) return
      clearTimeout(timer)
      keep()
    }
    // A page that is left altogether takes nothing apart.
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
      watching.unsubscribe()
    }
  }, [form, key, step])
}

/** The wizard's form: what was typed survives leaving the page, as long as the tab lives. */
export function useDraft() {
  const { user } = useSession()
  const key = draftKey(user?.id ?? '', user?.companyId ?? 0)
  const [kept] = useState(() => readDraft(key))
  const form = useForm<Draft>({ defaultValues: kept?.draft ?? newDraft() })
  const [step, setStep] = useStep(kept?.step ?? 0)
  useKeeping(form, key, step)
  const show = (problems: Problem[]) => {
    form.clearErrors()
    for (const { path, message } of problems) form.setError(path as FieldPath<Draft>, { message }) // checked against the same draft
  }
  const go = (next: number) => {
    form.clearErrors()
    setStep(next)
    window.scrollTo({ top: 0 })
  }
  const forget = () => {
    form.reset(newDraft())
    dropDraft(key)
  }
  return { form, step, go, show, forget, resumed: kept !== null && kept.draft.name !== '' }
}
