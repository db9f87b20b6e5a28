import { type QueryClient, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { query } from '../../../lib/queries.ts'

const MAX_LISTED_POINTS = 1000

export const usePoints = (operationId?: string) =>
  useQuery(query(points.list, { query: { size: MAX_LISTED_POINTS, sort: 'prm', ...(operationId && { operationId }) } }))

/** All that shows readings: new ones make them old. */
const READING_DEPENDENT_QUERIES = [
  curves.matrix,
  curves.series,
  curves.versions,
  energy.summary,
  energy.series,
  energy.heatMap,
  energy.production,
  energy.producers,
  operations.get,
  operations.list,
  points.get,
]

export const refreshReadings = (client: QueryClient) => {
  for (const { path } of READING_DEPENDENT_QUERIES) void client.invalidateQueries({ queryKey: [path] })
}
