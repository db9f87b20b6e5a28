import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BulkRun } from '@voisol/contract/bulk'
import { participants } from '@voisol/contract/participants'
import { useEffect, useState } from 'react'
import type { Seen } from '../../../lib/look-first.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { TOUCHED } from '../labels.ts'
import type { Asked } from './selection.ts'

type Wanted = Pick<Asked, 'selection' | 'operationId' | 'action'>
const POLL_MS = 800

/** Asked twice of the server: once to say what would happen, once to do it for those who were seen. A long one is followed. */
export function useMany() {
  const client = useQueryClient()
  const send = useAction(participants.bulk, [...TOUCHED, participants.tags])
  const [asked, setAsked] = useState<BulkRun | null>(null)
  const isLong = asked?.status === 'running'
  const { data: followed } = useQuery({
    ...query(participants.bulkRun, { params: { id: asked?.id ?? '' } }),
    enabled: isLong,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' || !state.data ? POLL_MS : false),
  })
  const run = isLong && followed?.id === asked.id ? followed : asked
  const isDone = run?.status === 'done' && !run.dryRun
  useEffect(() => {
    // A job ends after its call: what it changed is read again then.
    if (isLong && isDone) for (const { path } of TOUCHED) void client.invalidateQueries({ queryKey: [path] })
  }, [client, isLong, isDone])
  return {
    run,
    working: send.isPending || run?.status === 'running',
    look: async (body: Wanted) => setAsked(await send.run({ body: { ...body, dryRun: true } })),
    apply: async (body: Wanted, seal: string, seen: Seen) =>
      setAsked(await send.run({ body: { ...body, dryRun: false, seal, ...seen } })),
    forget: () => setAsked(null),
  }
}
