import type { Operation } from '@voisol/contract/operations'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'

type OperationEventSubject = Pick<Operation, 'id' | 'name' | 'status'>
const toEventData = ({ id, name, status }: OperationEventSubject) => ({ operationId: id, name, status })

export const recordOperationCreated = (tx: Db, companyId: number, operation: OperationEventSubject) =>
  recordEvent(tx, { companyId, name: 'operation.created', object: operation.id, data: toEventData(operation) })

/** `days` are those whose figures may have changed. */
export const recordOperationUpdated = (
  tx: Db,
  companyId: number,
  operation: OperationEventSubject,
  days: { from: string; to: null } | null,
) =>
  recordEvent(tx, {
    companyId,
    name: 'operation.updated',
    object: operation.id,
    data: { ...toEventData(operation), days },
  })

export function recordOperationStatusChanged(tx: Db, companyId: number, operation: OperationEventSubject, on: string) {
  const data = { ...toEventData(operation), on }
  return recordEvent(tx, { companyId, name: 'operation.status-changed', object: operation.id, data })
}
