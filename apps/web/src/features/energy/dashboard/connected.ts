import { useQuery } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'

/** Whether a participant has opened their own space; undefined until it is known, and to whoever may not read of it. */
export function useConnected(): boolean | undefined {
  const sees = useCan()(participants.list)
  const { data } = useQuery({
    ...query(participants.list, { query: { size: 1, sort: '-lastSignInAt' } }),
    enabled: sees,
  })
  return data?.items.some(({ portal }) => portal.lastSignInAt !== null)
}
