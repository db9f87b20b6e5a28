import { useQueries } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'
import { query } from '../../../lib/queries.ts'

/** The participations of these people that last or are to come, in one operation or in all. */
export function useOpenParticipations(ids: string[], operationId?: string) {
  return useQueries({
    queries: ids.map((id) => query(participants.get, { params: { id } })),
    combine: (results) => {
      const open = results.map(({ data }) =>
        data?.participations.filter((one) => one.state !== 'past' && (!operationId || one.operationId === operationId)),
      )
      return {
        known: open.every((list) => list !== undefined),
        error: results.find(({ error }) => error)?.error ?? null,
        refetch: () => Promise.all(results.map((result) => result.refetch())),
        participationIds: open.flatMap((list) => list?.map(({ id }) => id) ?? []),
        without: open.filter((list) => list?.length === 0).length,
      }
    },
  })
}
