import { type EnedisCall, enedis } from '@voisol/contract/enedis'
import { useState } from 'react'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import type { ParamValues } from './check.ts'
import type { RecordedCall } from './history.tsx'

const MAX_RECORDED_CALLS = 20

type MakeCallInput = { call: EnedisCall; params: ParamValues; through: { credentialId?: string }; connection: string }

/** What the server says of a parameter, by its name. */
const toParamIssues = (error: unknown): ParamValues =>
  Object.fromEntries(
    (error instanceof ApiError ? (error.problem?.issues ?? []) : []).map(({ path, message }) => [
      path.replace(/^(body\.)?params\./, ''),
      message,
    ]),
  )

/** Makes calls and remembers the last ones, with what came back. */
export function useCallRuns() {
  const send = useAction(enedis.run, [])
  const [made, setMade] = useState<RecordedCall[]>([])
  const [shown, setShown] = useState<number>()
  const [problem, setProblem] = useState('')
  const [issues, setIssues] = useState<ParamValues>({})
  const run = async ({ call, params, through, connection }: MakeCallInput) => {
    setProblem('')
    setIssues({})
    try {
      const trace = await send.run({ body: { ...through, call: call.id, params } })
      const at = Date.now()
      setMade((old) => [{ id: at, at, label: call.label, connection, trace }, ...old].slice(0, MAX_RECORDED_CALLS))
      setShown(at)
    } catch (error) {
      setIssues(toParamIssues(error))
      setProblem(explainError(error))
    }
  }
  return { run, busy: send.isPending, made, problem, issues, setShown, shown: made.find(({ id }) => id === shown) }
}
