import { useEffect, useState } from 'react'
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { useSession } from '../../../lib/session.ts'
import type { WizardProblem } from './check.ts'
import { createOperationDraft, type OperationWizardDraft } from './draft.ts'
import { getDraftStorageKey, readStoredDraft, removeStoredDraft, writeStoredDraft } from './storage.ts'

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
