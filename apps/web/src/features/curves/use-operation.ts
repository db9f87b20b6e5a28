import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { query } from '../../lib/queries.ts'

export const useOperation = (id: string) => useQuery(query(operations.get, { params: { id } }))
export const usePoint = (id: string) => useQuery(query(points.get, { params: { id } }))

const MAX_LISTED_POINTS = 1000

export const usePoints = (operationId?: string) =>
  useQuery(query(points.list, { query: { size: MAX_LISTED_POINTS, sort: 'prm', ...(operationId && { operationId }) } }))
