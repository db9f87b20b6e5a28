import type { Db } from '../../../db/client.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadPairAccounts } from '../invoices/invoices.ts'
import { loadBuyers } from '../parties/parties.ts'
import { lockAccounts, postPayment } from '../payments/payments.ts'
import { listOverdueDocuments } from './due.ts'
import { type LateFeeAmounts, loadLateFeeCalculators } from './fees.ts'
import type { ReminderAccount } from './send.ts'

/** Charges a business the statutory late fees: the fixed indemnity once per document, and interest up to today. */
export async function claimLateFees(tx: Db, actor: Actor, which: ReminderAccount): Promise<LateFeeAmounts> {
  const { companyId } = actor
  const buyer = (await loadBuyers(tx, companyId, [which.buyerId])).get(which.buyerId)
  if (!buyer) throw new AppError('not-found')
  if (buyer.kind === 'person')
    throw new AppError('conflict', {
      message: `${buyer.name} est un particulier\u00a0: ni indemnité ni pénalités de professionnels ne lui sont réclamées.`,
    })
  await lockAccounts(tx, companyId)
  const pair = { ...which, clientSellerId: null }
  const [account] = await loadPairAccounts(tx, companyId, { pair })
  const overdueDocuments = account ? listOverdueDocuments(account, getToday()) : []
  const { ofDocument } = await loadLateFeeCalculators(tx, companyId, getToday())
  const claimed: LateFeeAmounts = { indemnity: 0, interest: 0 }
  for (const document of overdueDocuments) {
    const fees = ofDocument(document)
    for (const name of ['indemnity', 'interest'] as const) {
      if (fees[name] <= 0) continue
      const source = `claim:${document.id}:${name}${name === 'interest' ? `:${getToday()}` : ''}`
      const words = name === 'indemnity' ? 'Indemnité de recouvrement' : 'Pénalités de retard'
      const how = { kind: 'charge' as const, method: 'none' as const, bookedOn: getToday(), accountId: null }
      const posting = { ...pair, ...how, amount: fees[name], source, note: `${words}, ${document.number}` }
      const { already } = await postPayment(tx, companyId, posting, formatActorName(actor))
      if (!already) claimed[name] += fees[name]
    }
  }
  if (claimed.indemnity + claimed.interest === 0)
    throw new AppError('conflict', {
      message: 'Rien n’est à réclamer\u00a0: rien n’est en retard, ou tout est déjà réclamé.',
    })
  return claimed
}
