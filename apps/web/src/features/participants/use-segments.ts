import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import { query } from '../../lib/queries.ts'

export type SegmentsByPoint = ReadonlyMap<string, string>
const MAX_POINTS = 1000

/** The segment of each point by its id: the list of people names their points only. */
export function useSegments(operationId?: string): SegmentsByPoint {
  const { data } = useQuery(query(points.list, { query: { size: MAX_POINTS, operationId } }))
  return new Map(data?.items.map(({ id, segment }) => [id, segment]))
}
