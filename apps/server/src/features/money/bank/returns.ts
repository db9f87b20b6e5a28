import type { Db } from '../../../db/client.ts'
import type { RawReturn } from '../../../formats/bank/types.ts'
import { today } from '../../../today.ts'
import { debitsOfAccount, returnDebit, returnWords } from '../debits/debits.ts'
import type { AccountRow } from '../mandates/mandates.ts'

/**
 * What a bank refused or gave back, by its name of the debit, of the batch or of the file. Told twice, it changes nothing;
 * what is not ours is said.
 */
export async function takeReturns(tx: Db, account: AccountRow, returns: readonly RawReturn[], by: string) {
  const sentences: string[] = []
  const all = await debitsOfAccount(tx, account.companyId, account.id)
  const words = await returnWords(tx, account.companyId)
  let returned = 0
  for (const told of returns) {
    const own = all.filter(({ endToEndId, batchId }) =>
      told.endToEndId
        ? endToEndId === told.endToEndId
        : told.batchId
          ? batchId === told.batchId
          : endToEndId.startsWith(`${told.messageId}-`),
    )
    if (!own.length)
      sentences.push(
        `«\u00a0${told.endToEndId || told.batchId || told.messageId}\u00a0» n’est pas un prélèvement de ce compte\u00a0: laissé de côté.`,
      )
    for (const debit of own) {
      if (debit.status !== 'sent' && debit.status !== 'collected') continue
      const source = `return:${debit.id}:${told.code}:${told.on}`
      await returnDebit(tx, account.companyId, debit.id, { on: told.on || today(), code: told.code, source, by })
      returned++
      sentences.push(`${debit.endToEndId}\u00a0: ${words(debit.id, told.code)}`)
    }
  }
  return { returned, sentences }
}
