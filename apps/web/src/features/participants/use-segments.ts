import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import { query } from '../../lib/queries.ts'

export type Segments = ReadonlyMap<string, string>
const MOST = 1000

/** The segment of each point by its id: the list of people names their points only. */
export function useSegments(operationId?: string): Segments {
  const { data } = useQuery(query(points.list, { query: { size: MOST, operationId } }))
  return new Map(data?.items.map(({ id, segment }) => [id, segment]))
}
