import type { DebitRunDetail } from '@voisol/contract/debits'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import type { DebitRow } from './view.ts'

type Change = 'debits.announced' | 'debits.filed' | 'debits.sent' | 'debits.cancelled'

/** Last in the transaction: the run as it stands then. */
export async function tellRun(tx: Db, companyId: number, name: Change, run: DebitRunDetail): Promise<DebitRunDetail> {
  const { id: runId, accountId, collectionOn, debits, total } = run
  await record(tx, { companyId, name, object: runId, data: { runId, accountId, collectionOn, debits, total } })
  return run
}

const namesOf = ({ id: debitId, runId, mandateId, amount }: DebitRow) => ({ debitId, runId, mandateId, amount })

export const tellReturned = (tx: Db, debit: DebitRow, { code, on }: { code: string; on: string }) =>
  record(tx, {
    companyId: debit.companyId,
    name: 'debit.returned',
    object: debit.id,
    data: { ...namesOf(debit), code, on },
  })

export const tellReturnCancelled = (tx: Db, debit: DebitRow) =>
  record(tx, {
    companyId: debit.companyId,
    name: 'debit.return-cancelled',
    object: debit.id,
    data: { ...namesOf(debit), code: debit.returnCode },
  })
