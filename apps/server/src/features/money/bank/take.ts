import type { StatementImportResult } from '@voisol/contract/bank'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { BankMessage } from '../../../formats/bank/types.ts'
import type { BankAccountRow } from '../mandates/mandates.ts'
import { lockAccounts } from '../payments/payments.ts'
import { type ImportFileOptions, importStatements } from './import.ts'
import { applyReturns } from './returns.ts'

/** Imports everything a bank file says, whatever its source: first its lines, then its returns. */
export async function importBankMessage(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'files'>,
  account: BankAccountRow,
  message: BankMessage,
  options: ImportFileOptions,
): Promise<StatementImportResult> {
  await lockAccounts(tx, account.companyId)
  const imported = await importStatements(tx, deps, account, message, options)
  const { returned, sentences } = await applyReturns(tx, account, message.returns, options.by)
  return { ...imported, returned: imported.returned + returned, sentences: [...imported.sentences, ...sentences] }
}
