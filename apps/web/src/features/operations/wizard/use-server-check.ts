import { operations } from '@voisol/contract/operations'
import { useEffect, useState } from 'react'
import { useAction } from '../../../lib/queries.ts'
import { buildOperationBody } from './body.ts'
import { findFirstProblem, type WizardProblem } from './check.ts'
import { toWizardProblems } from './server-issues.ts'
import type { DraftForm } from './use-draft.ts'

/** What the server would refuse of the draft as it stands, asked once when it is read over; none until it has answered. */
export function useServerCheck(form: DraftForm): WizardProblem[] {
  const { run } = useAction(operations.check, [])
  const [initial] = useState(() => ({ draft: form.getValues(), run }))
  const [problems, setProblems] = useState<WizardProblem[]>([])
  useEffect(() => {
    let isActive = true
    const { draft, run: checkDraft } = initial
    const request = buildOperationBody(draft, 'pending')
    // What is already known to be wrong is told without it; a failure is told when the operation is created.
    if (!findFirstProblem(draft))
      checkDraft({ body: request.body }).then(
        ({ issues }) => isActive && setProblems(toWizardProblems(issues, request)),
        () => {},
      )
    return () => {
      isActive = false
    }
  }, [initial])
  return problems
}
