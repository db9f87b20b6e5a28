import { useQuery } from '@tanstack/react-query'
import { enedis } from '@voisol/contract/enedis'
import { query } from '../../lib/queries.ts'

const ACTIVE_POLL_MS = 5000
const IDLE_POLL_MS = 30_000

/** Gauges and circuits move by themselves: read again often while calls are going out, seldom otherwise. */
export const useEnedisOverview = () =>
  useQuery({
    ...query(enedis.overview, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.runningTasks ?? 0) > 0 ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  })
