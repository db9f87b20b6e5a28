import { useEffect, useState } from 'react'
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { useSession } from '../../../../lib/session.ts'
import { OPERATION_DRAFT_PREFIX } from '../../../../lib/storage.ts'
import type { WizardProblem } from './check-draft.ts'
import { createOperationDraft, type OperationWizardDraft } from './draft.ts'

export type DraftForm = UseFormReturn<OperationWizardDraft>
const STEP_PARAM = 'etape'
const LAST_STEP = 7
const PAUSE_MS = 200

/** The step is in the address, so that « back » goes a step back. */
function useWizardStep(start: number) {
  const [search, setSearch] = useSearchParams()
  const requestedStep = Number(search.get(STEP_PARAM) ?? start + 1) - 1
  const addressStep =
    Number.isInteger(requestedStep) && requestedStep >= 0 && requestedStep <= LAST_STEP ? requestedStep : 0
  // The address follows a moment later: the step shows at once, and two quick presses are two steps.
  const [pendingStep, setPendingStep] = useState<number | null>(null)
  const [lastAddressStep, setLastAddressStep] = useState(addressStep)
  if (lastAddressStep !== addressStep) {
    setLastAddressStep(addressStep)
    setPendingStep(null)
  }
  const setStep = (next: number) => {
    setPendingStep(next)
    setSearch({ [STEP_PARAM]: String(next + 1) })
  }
  return [pendingStep ?? addressStep, setStep] as const
}

/** Kept while one types, and once more on the way out. */
function useDraftAutosave(form: DraftForm, key: string, step: number) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const saveDraft = () => writeStoredDraft(key, { step, draft: form.getValues() })
    saveDraft()
    const subscription = form.watch((_, { name }) => {
      if (name) form.clearErrors(name)
      form.clearErrors('root')
      clearTimeout(timer)
      timer = setTimeout(saveDraft, PAUSE_MS)
    })
    const savePending = () => {
      if (timer === undefined) return
      clearTimeout(timer)
      saveDraft()
    }
    // A page that is left altogether takes nothing apart.
    window.addEventListener('pagehide', savePending)
    return () => {
      window.removeEventListener('pagehide', savePending)
      savePending()
      subscription.unsubscribe()
    }
  }, [form, key, step])
}

/** The wizard's form: what was typed survives leaving the page, as long as the tab lives. */
export function useOperationDraft() {
  const { user } = useSession()
  const key = getDraftStorageKey(user?.id ?? '', user?.companyId ?? 0)
  const [storedDraft] = useState(() => readStoredDraft(key))
  const form = useForm<OperationWizardDraft>({ defaultValues: storedDraft?.draft ?? createOperationDraft() })
  const [step, setStep] = useWizardStep(storedDraft?.step ?? 0)
  useDraftAutosave(form, key, step)
  const show = (problems: WizardProblem[]) => {
    form.clearErrors()
    for (const { path, message } of problems) form.setError(path as FieldPath<OperationWizardDraft>, { message }) // checked against the same draft
  }
  const go = (next: number) => {
    form.clearErrors()
    setStep(next)
    window.scrollTo({ top: 0 })
  }
  const forget = () => {
    form.reset(createOperationDraft())
    removeStoredDraft(key)
  }
  return { form, step, go, show, forget, resumed: storedDraft !== null && storedDraft.draft.name !== '' }
}

/** A draft belongs to one person in one company; it lasts as long as the tab and the session. */
const getDraftStorageKey = (userId: string, companyId: number) => `${OPERATION_DRAFT_PREFIX}${companyId}_${userId}`

const StoredDraft = z.object({ step: z.int().min(0).max(7), draft: z.record(z.string(), z.unknown()) })
type StoredDraft = { step: number; draft: OperationWizardDraft }

/** What an older version of the product kept may lack a field: the usual value stands in. */
function readStoredDraft(key: string): StoredDraft | null {
  try {
    const stored = StoredDraft.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
    return { step: stored.step, draft: { ...createOperationDraft(), ...stored.draft } }
  } catch {
    return null
  }
}

function writeStoredDraft(key: string, kept: StoredDraft) {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // A full or refused storage only means that leaving loses the draft.
  }
}

function removeStoredDraft(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Refused: then nothing was kept either.
  }
}
