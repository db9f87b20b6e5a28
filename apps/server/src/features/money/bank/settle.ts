import type { BankLine } from '@voisol/contract/bank'
import { and, eq, like } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankLineDebits, bankLines, payments } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { undoCollection, undoReturn } from '../debits/debits.ts'
import { loadBankAccount } from '../mandates/mandates.ts'
import { lockAccounts, reversePayment } from '../payments/payments.ts'
import { type BankLineRow, createLineMatcher, isCertainMatch } from './find.ts'
import { loadMatchingData, loadOwedItems } from './known.ts'
import { loadBankLine, loadDebtorNames } from './lines.ts'
import { buildEntrySource, postMatch, postSettlementParts, reopenPayouts, requireNotBooked } from './post.ts'

async function lockBankLine(
  tx: Db,
  companyId: number,
  id: string,
  version: number,
  state: 'open' | 'settled',
): Promise<BankLineRow> {
  await lockAccounts(tx, companyId)
  const [row] = await tx
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), eq(bankLines.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if ((row.status === 'open') !== (state === 'open'))
    throw new AppError('conflict', {
      message:
        state === 'open'
          ? 'Ce mouvement est déjà réglé\u00a0: annulez d’abord ce qui a été fait.'
          : 'Ce mouvement attend encore\u00a0: il n’y a rien à annuler.',
    })
  return row
}

/** Accepts the current proposal for a line. */
export async function acceptBankLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  version: number,
): Promise<BankLine> {
  const { companyId } = actor
  const row = await lockBankLine(tx, companyId, id, version, 'open')
  const known = await loadMatchingData(tx, secrets, companyId, row.accountId)
  const match = createLineMatcher(known)(row)
  if (!match)
    throw new AppError('conflict', {
      message: 'Rien n’est proposé pour ce mouvement\u00a0: cherchez la facture qu’il paie, ou laissez-le de côté.',
    })
  const debited = match.kind === 'returned' || (match.kind === 'paid' && match.found.debits.length > 0)
  if (debited && !isCertainMatch(match))
    throw new AppError('conflict', {
      message: `Le montant ${formatEuros(row.amount)} n’est pas celui du prélèvement\u00a0: choisissez vous-même les factures, ou attendez l’avis de la banque.`,
    })
  await postMatch(tx, row, match, known.owed, formatActorName(actor))
  return loadBankLine(tx, secrets, companyId, id)
}

type ChosenParts = { invoiceId: string; amount: number }[]
/** Splits a line over the documents that a person chose. */
export async function settleBankLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  parts: ChosenParts,
  version: number,
): Promise<BankLine> {
  const { companyId } = actor
  const row = await lockBankLine(tx, companyId, id, version, 'open')
  if (row.amount < 0)
    throw new AppError('conflict', {
      message: 'Un mouvement sortant ne paie pas de facture\u00a0: laissez-le de côté avec sa raison.',
    })
  const owed = new Map((await loadOwedItems(tx, companyId)).map((item) => [item.id, item]))
  const chosen = parts.map(({ invoiceId, amount }) => {
    const item = owed.get(invoiceId)
    if (!item)
      throw new AppError('conflict', {
        message: 'Une de ces factures n’est plus ouverte\u00a0: rechargez et choisissez de nouveau.',
      })
    if (amount > item.open)
      throw new AppError('conflict', {
        message: `Il ne reste que ${formatEuros(item.open)} à payer sur ${item.number}\u00a0: ${formatEuros(amount)} ne peuvent pas y être affectés.`,
      })
    return { item, amount }
  })
  await postSettlementParts(tx, row, chosen, { by: formatActorName(actor), step: 0 })
  return loadBankLine(tx, secrets, companyId, id)
}

export async function ignoreBankLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<BankLine> {
  const row = await lockBankLine(tx, actor.companyId, id, version, 'open')
  await tx
    .update(bankLines)
    .set({ status: 'ignored', reason, settledBy: formatActorName(actor), version: row.version + 1 })
    .where(and(eq(bankLines.companyId, row.companyId), eq(bankLines.id, id)))
  return loadBankLine(tx, secrets, actor.companyId, id)
}

/** Reverses what was posted from a line, automatically or by hand: documents are open again and debits wait again. */
async function reverseLinePostings(tx: Db, row: BankLineRow, by: string) {
  const { companyId } = row
  const on = getToday() > row.bookedOn ? getToday() : row.bookedOn
  const linked = await tx
    .select()
    .from(bankLineDebits)
    .where(and(eq(bankLineDebits.companyId, companyId), eq(bankLineDebits.lineId, row.id)))
  for (const { debitId, effect } of linked) {
    const bankOutcome = { on, by, source: `undo:debit:${debitId}:${row.id}:${row.round}` }
    await (effect === 'collected' ? undoCollection : undoReturn)(tx, companyId, debitId, bankOutcome)
  }
  await tx.delete(bankLineDebits).where(and(eq(bankLineDebits.companyId, companyId), eq(bankLineDebits.lineId, row.id)))
  await reopenPayouts(tx, row)
  await requireNotBooked(tx, row)
  const own = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, `${buildEntrySource(row)}:%`)))
  for (const { id: paymentId, source } of own)
    await reversePayment(tx, companyId, { paymentId, kind: 'undo', bookedOn: on, source: `undo:${source}` }, by)
}

/** The provider's fee was computed with its payout, and is removed with it. */
const clearOnlinePayout = ({ onlineAccountId }: BankLineRow) =>
  onlineAccountId ? { onlineAccountId: null, charge: 0 } : {}

export async function undoBankLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  version: number,
): Promise<BankLine> {
  const row = await lockBankLine(tx, actor.companyId, id, version, 'settled')
  if (row.status === 'posted') await reverseLinePostings(tx, row, formatActorName(actor))
  await tx
    .update(bankLines)
    .set({ status: 'open', step: null, settledBy: '', reason: '', ...clearOnlinePayout(row), version: row.version + 1 })
    .where(and(eq(bankLines.companyId, row.companyId), eq(bankLines.id, id)))
  return loadBankLine(tx, secrets, actor.companyId, id)
}

const MAX_CANDIDATES = 40
/**
 * Open documents that a line may pay: first those of the same amount, then those of the paying account's owner, oldest
 * due date first.
 */
export async function loadLineCandidates(db: Db, companyId: number, id: string, q = '') {
  const [row] = await db
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), eq(bankLines.id, id)))
  if (!row) throw new AppError('not-found')
  const account = await loadBankAccount(db, companyId, row.accountId)
  const names = await loadDebtorNames(db, companyId)
  const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = fold(q).split(/\s+/).filter(Boolean)
  const items = (await loadOwedItems(db, companyId))
    .map((item) => ({
      ...item,
      buyer: names.get(item.buyerId ?? item.clientSellerId ?? '') ?? '',
      seller: names.get(item.sellerId) ?? '',
    }))
    .filter(({ number, buyer }) => words.every((word) => fold(`${number} ${buyer}`).includes(word)))
  const rank = (item: (typeof items)[number]) =>
    item.open === row.amount ? 0 : item.sellerId === account.ownerId ? 1 : 2
  items.sort((a, b) => rank(a) - rank(b) || (a.due < b.due ? -1 : 1))
  return {
    items: items
      .slice(0, MAX_CANDIDATES)
      .map(({ id: invoiceId, number, open, due, buyer, seller, sellerId, buyerId, clientSellerId }) => ({
        invoiceId,
        number,
        open,
        dueOn: due,
        buyer,
        seller,
        pair: `${sellerId} ${buyerId ?? clientSellerId}`,
      })),
  }
}
