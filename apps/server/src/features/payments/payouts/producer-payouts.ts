import type { Payout, PayoutDue } from '@voisol/contract/payouts'
import { formatLongDay } from '@voisol/documents/number-and-date-formats'
import { buildTransferFile } from '@voisol/documents/pain-001'
import { findPainErrors } from '@voisol/documents/sepa-rules'
import { getTargetDayFrom } from '@voisol/money/working-days'
import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, files, payments, payouts, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { computeAccountOpenAmounts, isCreditKind, loadPairAccounts } from '../../billing/invoices/index.ts'
import { decryptSellerIban, loadSellers } from '../../billing/parties/index.ts'
import {
  type BankAccountRow,
  decryptAccountIban,
  loadBankAccount,
  recordPayoutEvents,
  recordPayoutsFiled,
  recordPayoutsTransferred,
} from '../bank/index.ts'
import {
  getHolderKey as keyOf,
  loadCollectedAmounts,
  lockAccounts,
  postPayment,
  reversePayment,
} from '../payments/index.ts'

/** The payment source of fees set off with a payout. */
const buildSetOffSource = (payoutId: string) => `payout:${payoutId}`

async function findSetOffPaymentId(tx: Db, companyId: number, payoutId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.source, buildSetOffSource(payoutId))))
  return row?.id
}

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

type PayoutRow = typeof payouts.$inferSelect
const toDay = (at: Date) => at.toISOString().slice(0, 10)

export async function listPayouts(db: Db, companyId: number): Promise<Payout[]> {
  const rows = await db
    .select({ row: payouts, seller: sellers.name, account: bankAccounts.name })
    .from(payouts)
    .innerJoin(sellers, and(eq(sellers.companyId, payouts.companyId), eq(sellers.id, payouts.sellerId)))
    .innerJoin(bankAccounts, and(eq(bankAccounts.companyId, payouts.companyId), eq(bankAccounts.id, payouts.accountId)))
    .where(eq(payouts.companyId, companyId))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
  return rows.map(({ row, seller, account }) => ({
    id: row.id,
    seller: { id: row.sellerId, name: seller },
    account: { id: row.accountId, name: account },
    amount: row.amount,
    setOff: row.setOff,
    status: row.status as Payout['status'], // the column only stores these values
    endToEndId: row.endToEndId,
    messageId: row.messageId,
    paidOn: row.paidOn,
    bankReference: row.bankReference,
    createdOn: toDay(row.createdAt),
    by: row.createdBy,
    version: row.version,
  }))
}

async function loadPayout(db: Db, companyId: number, id: string): Promise<Payout> {
  const found = (await listPayouts(db, companyId)).find((payout) => payout.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** Sets off fees first, in both books: the bank pays the rest. */
async function planPayout(tx: Db, actor: Actor, account: BankAccountRow, due: PayoutDue): Promise<PayoutRow> {
  const { companyId } = actor
  const id = crypto.randomUUID()
  const setOff = Math.min(due.fees, due.due)
  if (setOff > 0) {
    const pair = { sellerId: due.holder.id, buyerId: null, clientSellerId: due.seller.id }
    const how = { kind: 'receipt' as const, method: 'setOff' as const, bookedOn: getToday(), accountId: null }
    const note = 'Frais déduits du reversement'
    await postPayment(
      tx,
      companyId,
      { ...pair, ...how, amount: setOff, source: buildSetOffSource(id), note },
      formatActorName(actor),
    )
  }
  const amount = due.due - setOff
  const endToEndId = `RV${getToday().replaceAll('-', '')}-${id.slice(0, 8).toUpperCase()}`
  const whose = { companyId, id, sellerId: due.seller.id, accountId: account.id, amount, setOff, endToEndId }
  // When fees take all of it, nothing goes to the bank.
  const settled = amount === 0 ? { status: 'paid', paidOn: getToday() } : {}
  const [row] = await tx
    .insert(payouts)
    .values({ ...whose, ...settled, createdBy: formatActorName(actor) })
    .returning()
  if (!row) throw new AppError('internal')
  return row
}

/** Plans payouts to producers from one account; what cannot be paid is reported and does not stop the others. */
export async function planPayouts(
  tx: Db,
  actor: Actor,
  { accountId, sellerIds }: { accountId: string; sellerIds: string[] },
) {
  const { companyId } = actor
  await lockAccounts(tx, companyId)
  const account = await loadBankAccount(tx, companyId, accountId)
  if (account.kind !== 'bank') throw fieldError('accountId', 'Un reversement part d’un compte bancaire.')
  const all = await loadDuePayouts(tx, companyId)
  const made: PayoutRow[] = []
  const refused: { seller: string; why: string }[] = []
  for (const sellerId of new Set(sellerIds)) {
    const due = all.find(({ seller, holder }) => seller.id === sellerId && holder.id === account.ownerId)
    if (!due) throw new AppError('not-found')
    if (due.waits) refused.push({ seller: due.seller.name, why: due.waits })
    else made.push(await planPayout(tx, actor, account, due))
  }
  await recordPayoutEvents(tx, companyId, 'payout.planned', made)
  const ids = new Set(made.map(({ id }) => id))
  return { items: (await listPayouts(tx, companyId)).filter(({ id }) => ids.has(id)), refused }
}

async function lockPayout(tx: Db, companyId: number, id: string): Promise<PayoutRow> {
  const [row] = await tx
    .select()
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}
const updatePayout = (tx: Db, { companyId, id, version }: PayoutRow, values: Partial<PayoutRow>) =>
  tx
    .update(payouts)
    .set({ ...values, version: version + 1 })
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))

type MarkPayoutPaidInput = { on: string; bankReference: string; version: number }

/** Marks a payout as paid, as the bank statement shows. */
export async function markPayoutPaid(
  tx: Db,
  { companyId }: Actor,
  id: string,
  { on, bankReference, version }: MarkPayoutPaidInput,
) {
  const row = await lockPayout(tx, companyId, id)
  requireCurrentVersion(row, { version })
  if (row.status !== 'filed')
    throw new AppError('conflict', {
      message: 'Seul un reversement dont le fichier est établi peut être noté comme viré.',
    })
  if (on > getToday())
    throw fieldError('on', `Le ${formatLongDay(on)} n’est pas encore là\u00a0: attendu, un jour passé.`)
  await updatePayout(tx, row, { status: 'paid', paidOn: on, bankReference })
  await recordPayoutsTransferred(tx, companyId, on, [row])
  return loadPayout(tx, companyId, id)
}

/** Cancels a payout and reopens the fees set off with it; a paid one cannot be cancelled. */
export async function cancelPayout(tx: Db, actor: Actor, id: string, version: number) {
  const { companyId } = actor
  await lockAccounts(tx, companyId)
  const row = await lockPayout(tx, companyId, id)
  requireCurrentVersion(row, { version })
  if (row.status === 'paid' || row.status === 'cancelled')
    throw new AppError('conflict', {
      message: `Ce reversement est ${row.status === 'paid' ? 'viré' : 'déjà annulé'}\u00a0: il ne peut plus être annulé.`,
    })
  const posted = await findSetOffPaymentId(tx, companyId, id)
  if (posted) {
    const reversal = { paymentId: posted, kind: 'undo' as const, bookedOn: getToday(), source: `undo:${posted}` }
    await reversePayment(tx, companyId, { ...reversal, note: 'Reversement annulé' }, formatActorName(actor))
  }
  await updatePayout(tx, row, { status: 'cancelled' })
  await recordPayoutEvents(tx, companyId, 'payout.cancelled', [row])
  return loadPayout(tx, companyId, id)
}

type PayoutFileDeps = Pick<Deps, 'secrets' | 'files'> & { db: Db }

async function loadPlannedPayouts(tx: Db, { companyId, id }: BankAccountRow) {
  return tx
    .select({ payout: payouts, seller: sellers })
    .from(payouts)
    .innerJoin(sellers, and(eq(sellers.companyId, payouts.companyId), eq(sellers.id, payouts.sellerId)))
    .where(and(eq(payouts.companyId, companyId), eq(payouts.accountId, id), eq(payouts.status, 'planned')))
    .orderBy(payouts.createdAt, payouts.id)
}
type PlannedPayout = Awaited<ReturnType<typeof loadPlannedPayouts>>[number]

function toTransferOrder(secrets: Deps['secrets'], { payout, seller }: PlannedPayout) {
  const iban = decryptSellerIban(secrets, seller)
  if (!iban)
    throw new AppError('conflict', {
      message: `Le compte bancaire de ${seller.name} n’est pas dit\u00a0: réglez-le dans sa fiche de vendeur.`,
    })
  const { endToEndId, amount } = payout
  return { endToEndId, amount, name: seller.name, iban, bic: seller.bic, text: `Reversement ${endToEndId}` }
}

function requireTransferDay(on: string) {
  if (on < getToday()) throw fieldError('on', 'Un virement est pour aujourd’hui ou plus tard.')
  const open = getTargetDayFrom(on)
  if (open !== on)
    throw fieldError(
      'on',
      `Les banques ne virent pas le ${formatLongDay(on)}\u00a0: le premier jour ouvert est le ${formatLongDay(open)}.`,
    )
}

/** Writes one file of all planned payouts of an account, stored and never written again under the same name. */
export async function createPayoutFile(
  { db: tx, secrets, files: store }: PayoutFileDeps,
  { companyId }: Actor,
  { accountId, on }: { accountId: string; on: string },
) {
  requireTransferDay(on)
  await lockAccounts(tx, companyId)
  const account = await loadBankAccount(tx, companyId, accountId)
  const rows = await loadPlannedPayouts(tx, account)
  if (!rows.length)
    throw new AppError('conflict', { message: 'Aucun reversement n’attend d’être mis en fichier sur ce compte.' })
  const iban = decryptAccountIban(secrets, account)
  if (!iban) throw fieldError('accountId', 'L’IBAN de ce compte n’est pas dit.')
  const transfers = rows.map((row) => toTransferOrder(secrets, row))
  const messageId = `RV-${crypto.randomUUID().slice(0, 18).toUpperCase()}`
  const createdAt = `${new Date().toISOString().slice(0, 19)}Z`
  const debtor = { name: account.owner, iban, bic: account.bic }
  const xml = buildTransferFile({ id: messageId, createdAt, executionOn: on, debtor, transfers })
  // Finds what a bank would refuse before the file is downloaded.
  const [fault] = findPainErrors(xml)
  if (fault) throw new Error(`a file that no bank takes: ${fault}`)
  const content = new TextEncoder().encode(xml)
  const { id: fileId } = await storeFile(tx, store, companyId, {
    name: `${messageId}.xml`,
    mediaType: 'application/xml',
    content,
  })
  for (const { payout } of rows)
    await tx
      .update(payouts)
      .set({ status: 'filed', messageId, fileId, version: payout.version + 1 })
      .where(and(eq(payouts.companyId, companyId), eq(payouts.id, payout.id)))
  await recordPayoutsFiled(
    tx,
    companyId,
    { messageId, on },
    rows.map(({ payout }) => payout),
  )
  return { messageId, payouts: rows.length, amount: transfers.reduce((sum, { amount }) => sum + amount, 0) }
}

export async function loadPayoutFile(
  { db, files: store }: Omit<PayoutFileDeps, 'secrets'>,
  { companyId }: Actor,
  id: string,
) {
  const [row] = await db
    .select({ file: files })
    .from(payouts)
    .innerJoin(files, and(eq(files.companyId, payouts.companyId), eq(files.id, payouts.fileId)))
    .where(and(eq(payouts.companyId, companyId), eq(payouts.id, id)))
  const content = row && (await store.get(getFileKey(row.file)))
  if (!row || !content) throw new AppError('not-found')
  return { name: row.file.name, content }
}
