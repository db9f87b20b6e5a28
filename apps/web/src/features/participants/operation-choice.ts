import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'

/** Where somebody can come in: every operation that is not over. */
export function useOperationChoices() {
  const enabled = useCan()(operations.list)
  const { data } = useQuery({ ...query(operations.list, { query: { size: 100, sort: 'name' } }), enabled })
  const openOperations = data?.items.filter(({ status }) => status !== 'closed') ?? []
  return {
    known: data !== undefined,
    options: openOperations.map(({ id, name }) => ({ value: id, label: name })),
    open: openOperations,
  }
}
