import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CurveImport, curves } from '@voisol/contract/curves'
import { useEffect } from 'react'
import { query } from '../../../lib/queries.ts'
import { refreshReadings } from '../shown.ts'

const POLL_MS = 800
export const isImportRunning = (status: CurveImport['status'] | undefined) =>
  status === 'reading' || status === 'storing'

/** An import followed until it rests. */
export function useCurveImport(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(curves.getImport, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isImportRunning(state.data?.status) ? POLL_MS : false),
  })
  const status = result.data?.status
  useEffect(() => {
    if (status === undefined) return
    client.invalidateQueries({ queryKey: [curves.imports.path] })
    if (status === 'done') refreshReadings(client)
  }, [client, status])
  return result
}
