import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { formatMonthWithDe } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { loadUnsentDocumentIds, sendDocuments } from '../invoices/invoices.ts'
import { lockOperation } from './close.ts'
import { findClosedMonth } from './stored.ts'

type SendMonthInput = { operation: OperationRow; month: string; by: string; platform: boolean }

/**
 * Sends the issued documents of a month that are not sent yet, corrections included: a second call sends nothing twice.
 */
export async function sendMonthDocuments(tx: Db, { operation, month, by, platform }: SendMonthInput) {
  const { companyId, id: operationId } = operation
  await lockOperation(tx, companyId, operationId)
  const row = await findClosedMonth(tx, companyId, operationId, month)
  if (row?.status !== 'issued')
    throw new AppError('conflict', {
      message: `Les documents ${formatMonthWithDe(`${month}-01`)} ne sont pas émis\u00a0: émettez-les avant de les envoyer.`,
    })
  const ids = await loadUnsentDocumentIds(tx, companyId, operationId, month)
  return sendDocuments(tx, { companyId, ids, by, platform })
}
