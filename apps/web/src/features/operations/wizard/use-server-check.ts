import { operations } from '@voisol/contract/operations'
import { useEffect, useState } from 'react'
import { useAction } from '../../../lib/queries.ts'
import { bodyOf } from './body.ts'
import { firstProblem, type Problem } from './check.ts'
import { fieldsOf } from './server-issues.ts'
import type { DraftForm } from './use-draft.ts'

/** What the server would refuse of the draft as it stands, asked once when it is read over; none until it has answered. */
export function useServerCheck(form: DraftForm): Problem[] {
  const { run } = useAction(operations.check, [])
  const [asking] = useState(() => ({ draft: form.getValues(), run }))
  const [problems, setProblems] = useState<Problem[]>([])
  useEffect(() => {
    let wanted = true
    const { draft, run: ask } = asking
    const sent = bodyOf(draft, 'pending')
    // What is already known to be wrong is told without it; a failure is told when the operation is created.
    if (!firstProblem(draft))
      ask({ body: sent.body }).then(
        ({ issues }) => wanted && setProblems(fieldsOf(issues, sent)),
        () => {},
      )
    return () => {
      wanted = false
    }
  }, [asking])
  return problems
}
