import type { BankLine } from '@voisol/contract/bank'
import { and, eq, like } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankLineDebits, bankLines, payments } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { euros } from '../../../papers/decimals.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { undoCollect, undoReturn } from '../debits/debits.ts'
import { accountOf } from '../mandates/mandates.ts'
import { lockAccounts, reversePayment } from '../payments/payments.ts'
import { finder, isCertain, type LineRow } from './find.ts'
import { knownOf, owedItems } from './known.ts'
import { getLine, namesOf } from './lines.ts'
import { postFound, postParts, requireNotBooked, sourceOf, unpaySent } from './post.ts'

async function lockLine(
  tx: Db,
  companyId: number,
  id: string,
  version: number,
  state: 'open' | 'settled',
): Promise<LineRow> {
  await lockAccounts(tx, companyId)
  const [row] = await tx
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), eq(bankLines.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireVersion(row, { version })
  if ((row.status === 'open') !== (state === 'open'))
    throw new AppError('conflict', {
      message:
        state === 'open'
          ? 'Ce mouvement est déjà réglé\u00a0: annulez d’abord ce qui a été fait.'
          : 'Ce mouvement attend encore\u00a0: il n’y a rien à annuler.',
    })
  return row
}

/** Takes what is proposed as it stands now. */
export async function acceptLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  version: number,
): Promise<BankLine> {
  const { companyId } = actor
  const row = await lockLine(tx, companyId, id, version, 'open')
  const known = await knownOf(tx, secrets, companyId, row.accountId)
  const finding = finder(known)(row)
  if (!finding)
    throw new AppError('conflict', {
      message: 'Rien n’est proposé pour ce mouvement\u00a0: cherchez la facture qu’il paie, ou laissez-le de côté.',
    })
  const debited = finding.kind === 'returned' || (finding.kind === 'paid' && finding.found.debits.length > 0)
  if (debited && !isCertain(finding))
    throw new AppError('conflict', {
      message: `Le montant ${euros(row.amount)} n’est pas celui du prélèvement\u00a0: choisissez vous-même les factures, ou attendez l’avis de la banque.`,
    })
  await postFound(tx, row, finding, known.owed, nameOfActor(actor))
  return getLine(tx, secrets, companyId, id)
}

type Chosen = { invoiceId: string; amount: number }[]
/** Splits a line over documents that a person chose. */
export async function settleLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  parts: Chosen,
  version: number,
): Promise<BankLine> {
  const { companyId } = actor
  const row = await lockLine(tx, companyId, id, version, 'open')
  if (row.amount < 0)
    throw new AppError('conflict', {
      message: 'Un mouvement sortant ne paie pas de facture\u00a0: laissez-le de côté avec sa raison.',
    })
  const owed = new Map((await owedItems(tx, companyId)).map((item) => [item.id, item]))
  const chosen = parts.map(({ invoiceId, amount }) => {
    const item = owed.get(invoiceId)
    if (!item)
      throw new AppError('conflict', {
        message: 'Une de ces factures n’est plus ouverte\u00a0: rechargez et choisissez de nouveau.',
      })
    if (amount > item.open)
      throw new AppError('conflict', {
        message: `Il ne reste que ${euros(item.open)} à payer sur ${item.number}\u00a0: ${euros(amount)} ne peuvent pas y être affectés.`,
      })
    return { item, amount }
  })
  await postParts(tx, row, chosen, { by: nameOfActor(actor), step: 0 })
  return getLine(tx, secrets, companyId, id)
}

export async function ignoreLine(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<BankLine> {
  const row = await lockLine(tx, actor.companyId, id, version, 'open')
  await tx
    .update(bankLines)
    .set({ status: 'ignored', reason, settledBy: nameOfActor(actor), version: row.version + 1 })
    .where(and(eq(bankLines.companyId, row.companyId), eq(bankLines.id, id)))
  return getLine(tx, secrets, actor.companyId, id)
}

/** Takes back what was posted from a line, whoever did it: documents are open again, debits wait again. */
async function takeBack(tx: Db, row: LineRow, by: string) {
  const { companyId } = row
  const on = today() > row.bookedOn ? today() : row.bookedOn
  const linked = await tx
    .select()
    .from(bankLineDebits)
    .where(and(eq(bankLineDebits.companyId, companyId), eq(bankLineDebits.lineId, row.id)))
  for (const { debitId, effect } of linked) {
    const told = { on, by, source: `undo:debit:${debitId}:${row.id}:${row.round}` }
    await (effect === 'collected' ? undoCollect : undoReturn)(tx, companyId, debitId, told)
  }
  await tx.delete(bankLineDebits).where(and(eq(bankLineDebits.companyId, companyId), eq(bankLineDebits.lineId, row.id)))
  await unpaySent(tx, row)
  await requireNotBooked(tx, row)
  const own = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, companyId), like(payments.source, `${sourceOf(row)}:%`)))
  for (const { id: paymentId, source } of own)
    await reversePayment(tx, companyId, { paymentId, kind: 'undo', bookedOn: on, source: `undo:${source}` }, by)
}

/** What a provider kept was found with its payout, and goes with it. */
const notOnline = ({ onlineAccountId }: LineRow) => (onlineAccountId ? { onlineAccountId: null, charge: 0 } : {})

export async function undoLine(tx: Db, secrets: Secrets, actor: Actor, id: string, version: number): Promise<BankLine> {
  const row = await lockLine(tx, actor.companyId, id, version, 'settled')
  if (row.status === 'posted') await takeBack(tx, row, nameOfActor(actor))
  await tx
    .update(bankLines)
    .set({ status: 'open', step: null, settledBy: '', reason: '', ...notOnline(row), version: row.version + 1 })
    .where(and(eq(bankLines.companyId, row.companyId), eq(bankLines.id, id)))
  return getLine(tx, secrets, actor.companyId, id)
}

const MOST = 40
/** Open documents that a line may pay: those of its amount first, then of the account's owner, the oldest due first. */
export async function candidatesOf(db: Db, companyId: number, id: string, q = '') {
  const [row] = await db
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), eq(bankLines.id, id)))
  if (!row) throw new AppError('not-found')
  const account = await accountOf(db, companyId, row.accountId)
  const names = await namesOf(db, companyId)
  const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const words = fold(q).split(/\s+/).filter(Boolean)
  const items = (await owedItems(db, companyId))
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
      .slice(0, MOST)
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
