import type { Db } from '../../../db/client.ts'
import type { RawBankReturn } from '../../../formats/bank/types.ts'
import { getToday } from '../../../today.ts'
import { loadDebitsOfAccount, loadReturnDescriber, returnDebit } from '../debits/debits.ts'
import type { BankAccountRow } from '../mandates/mandates.ts'

/**
 * Applies returns that the bank reports by debit, batch or file reference. Applying them again changes nothing; unknown
 * references are reported.
 */
export async function applyReturns(tx: Db, account: BankAccountRow, returns: readonly RawBankReturn[], by: string) {
  const sentences: string[] = []
  const all = await loadDebitsOfAccount(tx, account.companyId, account.id)
  const describeReturn = await loadReturnDescriber(tx, account.companyId)
  let returned = 0
  for (const rawReturn of returns) {
    const own = all.filter(({ endToEndId, batchId }) =>
      rawReturn.endToEndId
        ? endToEndId === rawReturn.endToEndId
        : rawReturn.batchId
          ? batchId === rawReturn.batchId
          : endToEndId.startsWith(`${rawReturn.messageId}-`),
    )
    if (!own.length)
      sentences.push(
        `«\u00a0${rawReturn.endToEndId || rawReturn.batchId || rawReturn.messageId}\u00a0» n’est pas un prélèvement de ce compte\u00a0: laissé de côté.`,
      )
    for (const debit of own) {
      if (debit.status !== 'sent' && debit.status !== 'collected') continue
      const source = `return:${debit.id}:${rawReturn.code}:${rawReturn.on}`
      await returnDebit(tx, account.companyId, debit.id, {
        on: rawReturn.on || getToday(),
        code: rawReturn.code,
        source,
        by,
      })
      returned++
      sentences.push(`${debit.endToEndId}\u00a0: ${describeReturn(debit.id, rawReturn.code)}`)
    }
  }
  return { returned, sentences }
}
