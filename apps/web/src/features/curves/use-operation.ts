import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { points } from '@voisol/contract/points'
import { data } from 'react-router'
import { ApiError } from '../../lib/call.ts'
import { query } from '../../lib/queries.ts'

const isUnknown = (error: Error | null) => error instanceof ApiError && (error.status === 404 || error.status === 422)

/** The operation of the address; one that is not the company's does not exist. */
export function useOperation(id: string) {
  const result = useQuery(query(operations.get, { params: { id } }))
  if (isUnknown(result.error)) throw data(null, { status: 404 })
  return result
}

export function usePoint(id: string) {
  const result = useQuery(query(points.get, { params: { id } }))
  if (isUnknown(result.error)) throw data(null, { status: 404 })
  return result
}

const MOST = 1000

export const usePoints = (operationId?: string) =>
  useQuery(query(points.list, { query: { size: MOST, sort: 'prm', ...(operationId && { operationId }) } }))
