import type { EventData } from '@voisol/contract/events'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankLineDebits, bankLines, payouts } from '../../../db/schema/index.ts'
import { recordEvents } from '../../../events/events.ts'
import { AppError } from '../../../http/errors.ts'
import { collectDebit, returnDebit } from '../direct-debits/index.ts'
import { type AccountOpenItem, postPayment } from '../payments/index.ts'
import { type BankLineRow, getPairKey, type LineMatch } from './bank-line-matching.ts'

type PayoutEventRow = Pick<typeof payouts.$inferSelect, 'id' | 'sellerId' | 'accountId' | 'amount' | 'setOff'>
type PlainPayoutEvent = 'payout.planned' | 'payout.reopened' | 'payout.cancelled'

const toPayoutEventData = ({
  id: payoutId,
  sellerId,
  accountId,
  amount,
  setOff,
}: PayoutEventRow): EventData<PlainPayoutEvent> => ({
  payoutId,
  sellerId,
  accountId,
  amount,
  setOff,
})

export const recordPayoutEvents = (tx: Db, companyId: number, name: PlainPayoutEvent, all: PayoutEventRow[]) =>
  recordEvents(
    tx,
    companyId,
    name,
    all.map((row) => ({ object: row.id, data: toPayoutEventData(row) })),
  )

export const recordPayoutsFiled = (
  tx: Db,
  companyId: number,
  file: { messageId: string; on: string },
  all: PayoutEventRow[],
) =>
  recordEvents(
    tx,
    companyId,
    'payout.filed',
    all.map((row) => ({ object: row.id, data: { ...toPayoutEventData(row), ...file } })),
  )

export const recordPayoutsTransferred = (tx: Db, companyId: number, on: string, all: PayoutEventRow[]) =>
  recordEvents(
    tx,
    companyId,
    'payout.transferred',
    all.map((row) => ({ object: row.id, data: { ...toPayoutEventData(row), on } })),
  )

type SettlementPart = { item: AccountOpenItem; amount: number }

export const buildEntrySource = ({ id, round }: Pick<BankLineRow, 'id' | 'round'>) => `entry:${id}:${round}`
const updateBankLine = (tx: Db, { companyId, id }: BankLineRow, values: Partial<BankLineRow>) =>
  tx
    .update(bankLines)
    .set(values)
    .where(and(eq(bankLines.companyId, companyId), eq(bankLines.id, id)))

type PaymentGroup = { parts: SettlementPart[]; amount: number; references: string[] }
/**
 * One payment per account, or several when more than one document is paid in part: a payment fills its documents in
 * order.
 */
function buildPaymentGroups(parts: readonly SettlementPart[]): PaymentGroup[] {
  return [...Map.groupBy(parts, ({ item }) => getPairKey(item)).values()].flatMap((own) => {
    const partial = own.filter(({ item, amount }) => amount < item.open)
    const whole = own.filter(({ item, amount }) => amount >= item.open)
    const sets = partial.length > 1 ? own.map((part) => [part]) : [[...whole, ...partial]]
    return sets.map((set) => ({
      parts: set,
      amount: set.reduce((sum, { amount }) => sum + amount, 0),
      references: set.map(({ item }) => item.number),
    }))
  })
}

/** Posts a line to documents. The remainder goes to the last account: to its oldest documents, then as an advance. */
export async function postSettlementParts(
  tx: Db,
  row: BankLineRow,
  parts: readonly SettlementPart[],
  { by, step }: { by: string; step: number },
) {
  const round = row.round + 1
  const total = parts.reduce((sum, { amount }) => sum + amount, 0)
  if (total > row.amount)
    throw new AppError('conflict', {
      message: `Rien n’est enregistré\u00a0: ${formatEuros(total)} sont affectés, le mouvement n’est que de ${formatEuros(row.amount)}.`,
    })
  const groups = buildPaymentGroups(parts)
  const last = groups.at(-1)
  if (last) last.amount += row.amount - total
  for (const [at, { parts: own, amount, references }] of groups.entries()) {
    const item = own[0]?.item
    if (!item) continue
    const { sellerId, buyerId, clientSellerId } = item
    const source = `${buildEntrySource({ id: row.id, round })}:${at + 1}`
    const about = {
      kind: 'receipt' as const,
      method: 'transfer' as const,
      bookedOn: row.bookedOn,
      accountId: row.accountId,
    }
    const note = row.label.slice(0, 500)
    await postPayment(
      tx,
      row.companyId,
      { sellerId, buyerId, clientSellerId, ...about, amount, source, references, note },
      by,
    )
  }
  await updateBankLine(tx, row, { status: 'posted', step, settledBy: by, reason: '', round, version: row.version + 1 })
}

/** Marks payouts to producers as paid, with the bank line as proof. */
async function markPayoutsPaid(tx: Db, row: BankLineRow, ids: string[]) {
  const paid = await tx
    .update(payouts)
    .set({
      status: 'paid',
      paidOn: row.bookedOn,
      bankReference: row.reference,
      lineId: row.id,
      version: sql`${payouts.version} + 1`,
    })
    .where(and(eq(payouts.companyId, row.companyId), inArray(payouts.id, ids), eq(payouts.status, 'filed')))
    .returning()
  await recordPayoutsTransferred(tx, row.companyId, row.bookedOn, paid)
}

/** Makes undone payouts wait for their bank line again, unless a locked accounting month holds them. */
export async function reopenPayouts(tx: Db, { companyId, id }: BankLineRow) {
  const { rows } = await tx.execute<{ ref: string }>(sql`
    select p.end_to_end_id as ref from payouts p
      join book_entries e on e.company_id = p.company_id and e.source in ('payout:' || p.id, 'payout-in:' || p.id)
     where p.company_id = ${companyId} and p.line_id = ${id} limit 1`)
  if (rows[0])
    throw new AppError('conflict', {
      message: `Le reversement ${rows[0].ref} est écrit dans un mois verrouillé\u00a0: son mouvement ne peut plus être repris.`,
    })
  const waiting = await tx
    .update(payouts)
    .set({ status: 'filed', paidOn: null, bankReference: '', lineId: null, version: sql`${payouts.version} + 1` })
    .where(and(eq(payouts.companyId, companyId), eq(payouts.lineId, id)))
    .returning()
  await recordPayoutEvents(tx, companyId, 'payout.reopened', waiting)
}

/** Posts a line as it was matched: debits that were collected or returned, or the documents it names. */
export async function postMatch(
  tx: Db,
  row: BankLineRow,
  match: LineMatch,
  owed: ReadonlyMap<string, AccountOpenItem>,
  by: string,
) {
  if (match.kind === 'paid' && !match.found.debits.length) {
    const { items, step } = match.found
    let left = row.amount
    const parts = items.flatMap((id) => {
      const item = owed.get(id)
      const amount = Math.min(left, item?.open ?? 0)
      left -= amount
      // A document closed by a credit note identifies the payer but takes none of the money.
      return item && (amount > 0 || item.open === 0) ? [{ item, amount }] : []
    })
    return postSettlementParts(tx, row, parts, { by, step })
  }
  const round = row.round + 1
  if (match.kind === 'sent') {
    await markPayoutsPaid(tx, row, match.payoutIds)
    return updateBankLine(tx, row, {
      status: 'posted',
      step: 1,
      settledBy: by,
      reason: '',
      round,
      version: row.version + 1,
    })
  }
  if (match.kind === 'online') {
    const { onlineAccountId, kept: charge } = match.out
    const posted = { status: 'posted', step: 5, settledBy: by, reason: '', round, version: row.version + 1 }
    return updateBankLine(tx, row, { ...posted, onlineAccountId, charge })
  }
  const bankOutcome = { on: row.bookedOn, by }
  const ids = match.kind === 'paid' ? match.found.debits : [match.debitId]
  const effect = match.kind === 'paid' ? 'collected' : 'returned'
  for (const id of ids) {
    const source = `debit:${id}:${row.id}:${round}`
    if (effect === 'collected') await collectDebit(tx, row.companyId, id, { ...bankOutcome, source })
    else await returnDebit(tx, row.companyId, id, { ...bankOutcome, source, code: row.returnCode })
    await tx.insert(bankLineDebits).values({ companyId: row.companyId, lineId: row.id, debitId: id, effect })
  }
  await updateBankLine(tx, row, {
    status: 'posted',
    step: 1,
    settledBy: by,
    reason: '',
    round,
    version: row.version + 1,
  })
}
