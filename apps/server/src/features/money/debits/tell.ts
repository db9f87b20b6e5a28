import type { DebitRunDetail } from '@voisol/contract/debits'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { DebitRow } from './view.ts'

type RunEventName = 'debits.announced' | 'debits.filed' | 'debits.sent' | 'debits.cancelled'

/** Called last in the transaction, so that the event holds the final state of the run. */
export async function recordRunEvent(
  tx: Db,
  companyId: number,
  name: RunEventName,
  run: DebitRunDetail,
): Promise<DebitRunDetail> {
  const { id: runId, accountId, collectionOn, debits, total } = run
  await recordEvent(tx, { companyId, name, object: runId, data: { runId, accountId, collectionOn, debits, total } })
  return run
}

const toDebitEventData = ({ id: debitId, runId, mandateId, amount }: DebitRow) => ({
  debitId,
  runId,
  mandateId,
  amount,
})

export const recordDebitReturned = (tx: Db, debit: DebitRow, { code, on }: { code: string; on: string }) =>
  recordEvent(tx, {
    companyId: debit.companyId,
    name: 'debit.returned',
    object: debit.id,
    data: { ...toDebitEventData(debit), code, on },
  })

export const recordReturnCancelled = (tx: Db, debit: DebitRow) =>
  recordEvent(tx, {
    companyId: debit.companyId,
    name: 'debit.return-cancelled',
    object: debit.id,
    data: { ...toDebitEventData(debit), code: debit.returnCode },
  })
