import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BulkRun } from '@voisol/contract/bulk'
import { participants } from '@voisol/contract/participants'
import { useEffect, useState } from 'react'
import type { ImpactPreviewToken } from '../../../lib/look-first.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import type { BulkRequest } from './selection.ts'

type BulkInput = Pick<BulkRequest, 'selection' | 'operationId' | 'action'>
const POLL_MS = 800

/** Asked twice of the server: once to say what would happen, once to do it for those who were seen. A long one is followed. */
export function useBulkRun() {
  const client = useQueryClient()
  const send = useAction(participants.bulk, [...PARTICIPANT_DEPENDENT_QUERIES, participants.tags])
  const [startedRun, setStartedRun] = useState<BulkRun | null>(null)
  const isLong = startedRun?.status === 'running'
  const { data: followed } = useQuery({
    ...query(participants.bulkRun, { params: { id: startedRun?.id ?? '' } }),
    enabled: isLong,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' || !state.data ? POLL_MS : false),
  })
  const run = isLong && followed?.id === startedRun.id ? followed : startedRun
  const isDone = run?.status === 'done' && !run.dryRun
  useEffect(() => {
    // A job ends after its call: what it changed is read again then.
    if (isLong && isDone)
      for (const { path } of PARTICIPANT_DEPENDENT_QUERIES) void client.invalidateQueries({ queryKey: [path] })
  }, [client, isLong, isDone])
  return {
    run,
    working: send.isPending || run?.status === 'running',
    look: async (body: BulkInput) => setStartedRun(await send.run({ body: { ...body, dryRun: true } })),
    apply: async (body: BulkInput, seal: string, seen: ImpactPreviewToken) =>
      setStartedRun(await send.run({ body: { ...body, dryRun: false, seal, ...seen } })),
    forget: () => setStartedRun(null),
  }
}
