import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { participants } from '@voisol/contract/participants'
import { dayOf } from '@voisol/energy/calendar'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'
import { periodOf, todayInParis } from '../../../ui/period/period.ts'

const lastDayOf = (instants: (string | null)[]) => {
  const last = instants
    .filter((instant) => instant !== null)
    .toSorted()
    .at(-1)
  return last === undefined ? null : dayOf(Math.floor(Date.parse(last) / 60_000) - 1)
}

/** Whether a participant has opened their own space; undefined until it is known, and to whoever may not read of it. */
export function useConnected(): boolean | undefined {
  const sees = useCan()(participants.list)
  const { data } = useQuery({
    ...query(participants.list, { query: { size: 1, sort: '-lastSignInAt' } }),
    enabled: sees,
  })
  return data?.items.some(({ portal }) => portal.lastSignInAt !== null)
}

/** How far the company has come: its operations, who takes part, and the last day of which something is known. */
export function useCompanyState() {
  const { from, to } = periodOf('month', todayInParis())
  const { data, error, refetch } = useQuery({ ...query(energy.operations, { query: { from, to } }), staleTime: 0 })
  const state = data && {
    operationId: (data.items.find(({ participants }) => participants > 0) ?? data.items[0])?.id ?? null,
    participants: data.items.reduce((sum, row) => sum + row.participants, 0),
    lastDay: lastDayOf(data.items.map(({ receivedUntil }) => receivedUntil)),
  }
  return { state, error, refetch }
}
