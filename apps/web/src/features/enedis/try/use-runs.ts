import { type EnedisCall, enedis } from '@voisol/contract/enedis'
import { useState } from 'react'
import { ApiError } from '../../../lib/call.ts'
import { explain } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import type { Values } from './check.ts'
import type { Made } from './history.tsx'

const MOST = 20

type Run = { call: EnedisCall; params: Values; through: { credentialId?: string }; connection: string }

/** What the server says of a parameter, by its name. */
const issuesOf = (error: unknown): Values =>
  Object.fromEntries(
    (error instanceof ApiError ? (error.problem?.issues ?? []) : []).map(({ path, message }) => [
      path.replace(/^(body\.)?params\./, ''),
      message,
    ]),
  )

/** Makes calls and remembers the last ones, with what came back. */
export function useRuns() {
  const send = useAction(enedis.run, [])
  const [made, setMade] = useState<Made[]>([])
  const [shown, setShown] = useState<number>()
  const [problem, setProblem] = useState('')
  const [issues, setIssues] = useState<Values>({})
  const run = async ({ call, params, through, connection }: Run) => {
    setProblem('')
    setIssues({})
    try {
      const trace = await send.run({ body: { ...through, call: call.id, params } })
      const at = Date.now()
      setMade((old) => [{ id: at, at, label: call.label, connection, trace }, ...old].slice(0, MOST))
      setShown(at)
    } catch (error) {
      setIssues(issuesOf(error))
      setProblem(explain(error))
    }
  }
  return { run, busy: send.isPending, made, problem, issues, setShown, shown: made.find(({ id }) => id === shown) }
}
