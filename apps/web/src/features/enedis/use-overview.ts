import { useQuery } from '@tanstack/react-query'
import { enedis } from '@voisol/contract/enedis'
import { query } from '../../lib/queries.ts'

const OFTEN_MS = 5000
const SELDOM_MS = 30_000

/** Gauges and circuits move by themselves: read again often while calls are going out, seldom otherwise. */
export const useOverview = () =>
  useQuery({
    ...query(enedis.overview, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.runningTasks ?? 0) > 0 ? OFTEN_MS : SELDOM_MS),
  })
