import type { Imported } from '@voisol/contract/bank'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { BankMessage } from '../../../formats/bank/types.ts'
import type { AccountRow } from '../mandates/mandates.ts'
import { lockAccounts } from '../payments/payments.ts'
import { type Giving, importMessage } from './import.ts'
import { takeReturns } from './returns.ts'

/** What a file of a bank says, whichever way it came: its lines, then what it gives back. */
export async function takeMessage(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'files'>,
  account: AccountRow,
  message: BankMessage,
  given: Giving,
): Promise<Imported> {
  await lockAccounts(tx, account.companyId)
  const imported = await importMessage(tx, deps, account, message, given)
  const { returned, sentences } = await takeReturns(tx, account, message.returns, given.by)
  return { ...imported, returned: imported.returned + returned, sentences: [...imported.sentences, ...sentences] }
}
