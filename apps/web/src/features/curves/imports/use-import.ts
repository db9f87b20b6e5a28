import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CurveImport, curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { useEffect } from 'react'
import { query } from '../../../lib/queries.ts'

const POLL_MS = 800
export const isWorking = (status: CurveImport['status'] | undefined) => status === 'reading' || status === 'storing'

/** All that shows readings: new ones make them old. */
const SHOWN = [
  curves.matrix,
  curves.series,
  curves.versions,
  energy.summary,
  energy.series,
  energy.heatMap,
  energy.production,
  energy.producers,
  operations.get,
  points.get,
].map(({ path }) => path)

/** An import followed until it rests. */
export function useImport(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(curves.getImport, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isWorking(state.data?.status) ? POLL_MS : false),
  })
  const status = result.data?.status
  useEffect(() => {
    if (status === undefined) return
    client.invalidateQueries({ queryKey: [curves.imports.path] })
    if (status === 'done') for (const path of SHOWN) client.invalidateQueries({ queryKey: [path] })
  }, [client, status])
  return result
}
