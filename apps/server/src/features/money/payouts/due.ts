import type { PayoutDue } from '@voisol/contract/payouts'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, payments, payouts } from '../../../db/schema/index.ts'
import { isCredit, openOfAccount, readAccounts } from '../invoices/invoices.ts'
import { sellersOf } from '../parties/parties.ts'
import { collectedFor, heldKey as keyOf } from '../payments/payments.ts'

type Sums = Map<string, number>
const add = (sums: Sums, key: string, amount: number) => void sums.set(key, (sums.get(key) ?? 0) + amount)
/** What lowers what a buyer owes raises what was collected. */
const signed = ({ kind, amount }: { kind: string; amount: number }) => (isCredit(kind) ? amount : -amount)

/** Fees of a holder that were paid by setting them off: they left what it holds for the producer. */
async function setOffSoFar(db: Db, companyId: number): Promise<Sums> {
  const rows = await db
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.method, 'setOff'), isNotNull(payments.clientSellerId)))
  const sums: Sums = new Map()
  for (const row of rows) add(sums, keyOf(row.clientSellerId ?? '', row.sellerId), signed(row))
  return sums
}

async function paidSoFar(db: Db, companyId: number): Promise<Sums> {
  const rows = await db
    .select({ sellerId: payouts.sellerId, holderId: bankAccounts.ownerId, amount: payouts.amount })
    .from(payouts)
    .innerJoin(bankAccounts, and(eq(bankAccounts.companyId, payouts.companyId), eq(bankAccounts.id, payouts.accountId)))
    .where(and(eq(payouts.companyId, companyId), ne(payouts.status, 'cancelled')))
  const sums: Sums = new Map()
  for (const { sellerId, holderId, amount } of rows) add(sums, keyOf(sellerId, holderId), amount)
  return sums
}

async function openFees(db: Db, companyId: number): Promise<Sums> {
  const sums: Sums = new Map()
  for (const account of await readAccounts(db, companyId)) {
    const { sellerId, clientSellerId } = account.pair
    if (!clientSellerId) continue
    const open = openOfAccount(account)
    for (const { id, side } of account.entries)
      if (side === 'debit') add(sums, keyOf(clientSellerId, sellerId), open.get(id) ?? 0)
  }
  return sums
}

function waitsFor({ due, fees, ibanEnd }: { due: number; fees: number; ibanEnd: string }): string {
  if (due <= 0)
    return due < 0 ? 'Plus a été versé qu’encaissé\u00a0: la suite viendra en déduction.' : 'Tout est versé.'
  if (!ibanEnd && due > fees)
    return 'Le compte bancaire du producteur n’est pas dit\u00a0: réglez-le dans sa fiche de vendeur.'
  return ''
}

/** Who is owed what by whom: collected, less the fees set off, less what was paid on. */
export async function payoutsDue(db: Db, companyId: number): Promise<PayoutDue[]> {
  const collected = await collectedFor(db, companyId)
  const [setOffs, paids, feesOf] = [
    await setOffSoFar(db, companyId),
    await paidSoFar(db, companyId),
    await openFees(db, companyId),
  ]
  const sellers = new Map((await sellersOf(db, companyId)).map((seller) => [seller.id, seller]))
  const all = [...collected].flatMap(([key, sum]): PayoutDue[] => {
    const [sellerId = '', holderId = ''] = key.split(' ')
    const [seller, holder] = [sellers.get(sellerId), sellers.get(holderId)]
    if (!seller || !holder) return []
    const [setOff, paid, fees] = [setOffs.get(key) ?? 0, paids.get(key) ?? 0, feesOf.get(key) ?? 0]
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
        waits: waitsFor({ due, fees, ibanEnd: seller.ibanEnd }),
      },
    ]
  })
  return all.sort((a, b) => b.payable - a.payable || a.seller.name.localeCompare(b.seller.name, 'fr'))
}
