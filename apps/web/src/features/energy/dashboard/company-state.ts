import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { dayOf } from '@voisol/energy/calendar'
import { query } from '../../../lib/queries.ts'
import { buildPeriod, getTodayInParis } from '../../../ui/period/period.ts'

const getLastDay = (instants: (string | null)[]) => {
  const last = instants
    .filter((instant) => instant !== null)
    .toSorted()
    .at(-1)
  return last === undefined ? null : dayOf(Math.floor(Date.parse(last) / 60_000) - 1)
}

/** The last day of which something is known in the company. */
export function useCompanyReadingState() {
  const { from, to } = buildPeriod('month', getTodayInParis())
  const { data, error, refetch } = useQuery({ ...query(energy.operations, { query: { from, to } }), staleTime: 0 })
  const state = data && { lastDay: getLastDay(data.items.map(({ receivedUntil }) => receivedUntil)) }
  return { state, error, refetch }
}
