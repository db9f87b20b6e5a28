import type { PayoutDue } from '@voisol/contract/payouts'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, payments, payouts } from '../../../db/schema/index.ts'
import { computeAccountOpenAmounts, isCreditKind, loadPairAccounts } from '../invoices/invoices.ts'
import { loadSellers } from '../parties/parties.ts'
import { getHolderKey as keyOf, loadCollectedAmounts } from '../payments/payments.ts'

type AmountByKey = Map<string, number>
const addTo = (sums: AmountByKey, key: string, amount: number) => void sums.set(key, (sums.get(key) ?? 0) + amount)
/** What reduces a buyer's debt increases what was collected. */
const getSignedAmount = ({ kind, amount }: { kind: string; amount: number }) => (isCreditKind(kind) ? amount : -amount)

/** A holder's fees that were set off: they reduce what it holds for the producer. */
async function loadSetOffAmounts(db: Db, companyId: number): Promise<AmountByKey> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.method, 'setOff'), isNotNull(payments.clientSellerId)))
  const sums: AmountByKey = new Map()
  for (const row of rows) addTo(sums, keyOf(row.clientSellerId ?? '', row.sellerId), getSignedAmount(row))
  return sums
}

async function loadPaidAmounts(db: Db, companyId: number): Promise<AmountByKey> {
  const rows = await db
    .select({ sellerId: payouts.sellerId, holderId: bankAccounts.ownerId, amount: payouts.amount })
    .from(payouts)
    .innerJoin(bankAccounts, and(eq(bankAccounts.companyId, payouts.companyId), eq(bankAccounts.id, payouts.accountId)))
    .where(and(eq(payouts.companyId, companyId), ne(payouts.status, 'cancelled')))
  const sums: AmountByKey = new Map()
  for (const { sellerId, holderId, amount } of rows) addTo(sums, keyOf(sellerId, holderId), amount)
  return sums
}

async function loadOpenFees(db: Db, companyId: number): Promise<AmountByKey> {
  const sums: AmountByKey = new Map()
  for (const account of await loadPairAccounts(db, companyId)) {
    const { sellerId, clientSellerId } = account.pair
    if (!clientSellerId) continue
    const open = computeAccountOpenAmounts(account)
    for (const { id, side } of account.entries)
      if (side === 'debit') addTo(sums, keyOf(clientSellerId, sellerId), open.get(id) ?? 0)
  }
  return sums
}

function findPayoutObstacle({ due, fees, ibanEnd }: { due: number; fees: number; ibanEnd: string }): string {
  if (due <= 0)
    return due < 0 ? 'Plus a été versé qu’encaissé\u00a0: la suite viendra en déduction.' : 'Tout est versé.'
  if (!ibanEnd && due > fees)
    return 'Le compte bancaire du producteur n’est pas dit\u00a0: réglez-le dans sa fiche de vendeur.'
  return ''
}

/** What each holder owes each producer: collected, minus fees set off, minus payouts made. */
export async function loadDuePayouts(db: Db, companyId: number): Promise<PayoutDue[]> {
  const collected = await loadCollectedAmounts(db, companyId)
  const [setOffs, paids, feesByKey] = [
    await loadSetOffAmounts(db, companyId),
    await loadPaidAmounts(db, companyId),
    await loadOpenFees(db, companyId),
  ]
  const sellers = new Map((await loadSellers(db, companyId)).map((seller) => [seller.id, seller]))
  const all = [...collected].flatMap(([key, sum]): PayoutDue[] => {
    const [sellerId = '', holderId = ''] = key.split(' ')
    const [seller, holder] = [sellers.get(sellerId), sellers.get(holderId)]
    if (!seller || !holder) return []
    const [setOff, paid, fees] = [setOffs.get(key) ?? 0, paids.get(key) ?? 0, feesByKey.get(key) ?? 0]
    const due = sum - setOff - paid
    return [
      {
        seller: { id: sellerId, name: seller.name, ibanEnd: seller.ibanEnd },
        holder: { id: holderId, name: holder.name },
        collected: sum,
        setOff,
        paid,
        due,
        fees,
        payable: Math.max(0, due - fees),
        waits: findPayoutObstacle({ due, fees, ibanEnd: seller.ibanEnd }),
      },
    ]
  })
  return all.sort((a, b) => b.payable - a.payable || a.seller.name.localeCompare(b.seller.name, 'fr'))
}
