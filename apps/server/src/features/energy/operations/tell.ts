import type { Operation } from '@voisol/contract/operations'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

type Told = Pick<Operation, 'id' | 'name' | 'status'>
const factsOf = ({ id, name, status }: Told) => ({ operationId: id, name, status })

export const tellCreated = (tx: Db, companyId: number, operation: Told) =>
  record(tx, { companyId, name: 'operation.created', object: operation.id, data: factsOf(operation) })

/** `days` are those whose figures may differ now. */
export const tellUpdated = (tx: Db, companyId: number, operation: Told, days: { from: string; to: null } | null) =>
  record(tx, { companyId, name: 'operation.updated', object: operation.id, data: { ...factsOf(operation), days } })

export function tellMoved(tx: Db, companyId: number, operation: Told, on: string) {
  const data = { ...factsOf(operation), on }
  return record(tx, { companyId, name: 'operation.status-changed', object: operation.id, data })
}
