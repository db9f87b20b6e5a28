import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { ofMonth } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { sendDocuments, unsentDocuments } from '../invoices/invoices.ts'
import { lockOperation } from './close.ts'
import { findMonth } from './stored.ts'

type Sending = { operation: OperationRow; month: string; by: string; platform: boolean }

/** Sends what was issued for a month and is not on its way yet, corrections included: a second click sends nothing twice. */
export async function sendMonth(tx: Db, { operation, month, by, platform }: Sending) {
  const { companyId, id: operationId } = operation
  await lockOperation(tx, companyId, operationId)
  const row = await findMonth(tx, companyId, operationId, month)
  if (row?.status !== 'issued')
    throw new AppError('conflict', {
      message: `Les documents ${ofMonth(`${month}-01`)} ne sont pas émis\u00a0: émettez-les avant de les envoyer.`,
    })
  const ids = await unsentDocuments(tx, companyId, operationId, month)
  return sendDocuments(tx, { companyId, ids, by, platform })
}
