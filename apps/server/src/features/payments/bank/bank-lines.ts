import type { BankLine, BankStatement, bank, MatchProposal } from '@voisol/contract/bank'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, count, desc, eq, inArray, like, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import {
  bankLineDebits,
  bankLines,
  bankStatements,
  bookEntries,
  participants,
  payments,
  sellers,
} from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { undoCollection, undoReturn } from '../direct-debits/index.ts'
import { loadBankAccount, loadBankAccounts } from '../mandates/index.ts'
import {
  type AccountOpenItem,
  loadOpenItems,
  lockAccounts,
  type PayableItem,
  reversePayment,
} from '../payments/index.ts'
import {
  type BankLineRow,
  createLineMatcher,
  getMatchStepLabel,
  isCertainMatch,
  type LineMatch,
  loadMatchingData,
  type MatchingData,
} from './bank-line-matching.ts'
import { buildEntrySource, postMatch, postSettlementParts, reopenPayouts } from './post-bank-line.ts'

type BankLineQuery = z.output<typeof bank.lines.query>
type NameById = ReadonlyMap<string, string>

/** Names of those who can owe: participants, and producers for the fees they are charged. */
async function loadDebtorNames(db: Db, companyId: number): Promise<NameById> {
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(eq(participants.companyId, companyId))
  const own = await db
    .select({ id: sellers.id, name: sellers.name })
    .from(sellers)
    .where(eq(sellers.companyId, companyId))
  return new Map([...own, ...people].map(({ id, name }) => [id, name]))
}

function describePayment(row: BankLineRow, found: readonly PayableItem[], step: number): string {
  const stepLabel = getMatchStepLabel(step)
  const sum = found.reduce((total, { open }) => total + open, 0)
  const credited = found.reduce((total, item) => total + item.credited, 0)
  if (sum === row.amount) return `${stepLabel}, montant exact.`
  if (credited > 0 && sum + credited === row.amount)
    return `${stepLabel}. C’est la somme d’avant l’avoir\u00a0: ${formatEuros(credited)} de trop, qui règlent ses autres factures ou deviennent une avance.`
  if (sum > row.amount) return `${stepLabel}. Il manque ${formatEuros(sum - row.amount)}\u00a0: paiement partiel.`
  return `${stepLabel}. ${formatEuros(row.amount - sum)} de trop\u00a0: le reste sera une avance.`
}

/** What a line seems to pay, as shown to a person. */
function toProposal(
  row: BankLineRow,
  match: LineMatch | null,
  { owed, returned, payouts }: MatchingData,
  names: NameById,
): MatchProposal | null {
  if (!match) return null
  if (match.kind === 'returned')
    return {
      step: 1,
      certain: match.certain,
      buyer: '',
      invoices: [],
      debits: 1,
      sentence: returned(match.debitId, row.returnCode),
    }
  if (match.kind === 'sent') {
    const names = payouts.filter(({ id }) => match.payoutIds.includes(id)).map(({ producer }) => producer)
    const sentence = `Reversement à ${names.join(', ')}, montant exact.`
    return { step: 1, certain: true, buyer: '', invoices: [], debits: 0, sentence }
  }
  if (match.kind === 'online') {
    const { payments, kept } = match.out
    const sentence = `Versement du prestataire en ligne\u00a0: ${payments === 1 ? 'un paiement' : `${payments} paiements`}, ${formatEuros(row.amount + kept)}, dont ${formatEuros(kept)} de commission.`
    return { step: 5, certain: false, buyer: 'Paiements en ligne', invoices: [], debits: 0, sentence }
  }
  const { step, certain, items, debits } = match.found
  const found = items.flatMap((id) => owed.get(id) ?? [])
  const [first] = found
  const invoices = found.map(({ id, number, open, due }) => ({ invoiceId: id, number, open, dueOn: due }))
  const sentence = debits.length
    ? `${getMatchStepLabel(step)}${certain ? ', montant exact.' : '\u00a0: le montant diffère de ce qui a été prélevé.'}`
    : describePayment(row, found, step)
  const buyer = first ? (names.get(first.buyerId ?? first.clientSellerId ?? '') ?? '') : ''
  return { step, certain, buyer, invoices, debits: debits.length, sentence }
}

/** Describes what was posted from each line: which documents, and whose. */
async function loadPostedDescriptions(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const { rows } = await db.execute<{
    line: string
    numbers: string | null
    debits: number
    effect: string | null
    payouts: string | null
    kept: string | null
  }>(sql`
    select l.id as line, case when l.online_account_id is not null then l.charge end as kept,
           (select string_agg(distinct i.number, ', ' order by i.number)
              from payments p join matches m on m.company_id = p.company_id and m.credit_payment_id = p.id
              join invoices i on i.company_id = m.company_id and i.id = m.debit_invoice_id
             where p.company_id = l.company_id and p.source like 'entry:' || l.id || ':' || l.round || ':%') as numbers,
           (select count(*)::int from bank_line_debits d where d.company_id = l.company_id and d.line_id = l.id) as debits,
           (select string_agg(s.name, ', ' order by s.name) from payouts p
              join sellers s on s.company_id = p.company_id and s.id = p.seller_id
             where p.company_id = l.company_id and p.line_id = l.id) as payouts,
           (select min(d.effect) from bank_line_debits d where d.company_id = l.company_id and d.line_id = l.id) as effect
      from bank_lines l where l.company_id = ${companyId} and l.id in ${ids}`)
  const describe = ({ numbers, debits, effect, payouts, kept }: (typeof rows)[number]) => {
    if (kept !== null) return `Versement du prestataire en ligne, commission ${formatEuros(Number(kept))}`
    if (payouts) return `Reversement à ${payouts}`
    if (debits > 0)
      return effect === 'returned' ? 'Rejet de prélèvement' : debits > 1 ? `${debits} prélèvements` : 'Prélèvement'
    return numbers ? `Affecté à ${numbers}` : 'Avance'
  }
  return new Map(rows.map((row) => [row.line, describe(row)]))
}

const describeSettlement = (row: BankLineRow, posted: string | undefined) => {
  if (row.status === 'ignored') return `${row.reason} (${row.settledBy})`
  if (row.status !== 'posted') return ''
  return `${posted ?? ''} — ${row.step ? `${getMatchStepLabel(row.step).toLowerCase()}, ` : ''}${row.settledBy}`
}

async function loadBankLineViews(
  db: Db,
  secrets: Secrets,
  companyId: number,
  rows: BankLineRow[],
): Promise<BankLine[]> {
  const accounts = new Map((await loadBankAccounts(db, companyId)).map(({ id, name }) => [id, name]))
  const names = await loadDebtorNames(db, companyId)
  const posted = await loadPostedDescriptions(
    db,
    companyId,
    rows.filter(({ status }) => status === 'posted').map(({ id }) => id),
  )
  const proposals = new Map<string, MatchProposal | null>()
  const open = rows.filter(({ status }) => status === 'open')
  for (const [accountId, own] of Map.groupBy(open, (row) => row.accountId)) {
    const known = await loadMatchingData(db, secrets, companyId, accountId)
    const find = createLineMatcher(known)
    for (const row of own) proposals.set(row.id, toProposal(row, find(row), known, names))
  }
  return rows.map((row) => ({
    id: row.id,
    accountId: row.accountId,
    account: accounts.get(row.accountId) ?? '',
    bookedOn: row.bookedOn,
    amount: row.amount,
    label: row.label,
    party: row.party,
    reference: row.reference,
    // The column only stores these values.
    state: row.status as BankLine['state'],
    proposal: proposals.get(row.id) ?? null,
    settled: describeSettlement(row, posted.get(row.id)),
    version: row.version,
  }))
}

export async function listBankLines(db: Db, secrets: Secrets, companyId: number, query: BankLineQuery) {
  const where = and(
    eq(bankLines.companyId, companyId),
    query.accountId ? eq(bankLines.accountId, query.accountId) : undefined,
    query.state ? eq(bankLines.status, query.state) : undefined,
    matchesSearchWords(query.q, [bankLines.label, bankLines.party, bankLines.reference]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(bankLines)
    .where(where)
    .orderBy(desc(bankLines.bookedOn), desc(bankLines.amount), bankLines.id)
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(bankLines).where(where)
  return { items: await loadBankLineViews(db, secrets, companyId, rows), total: all?.total ?? 0 }
}

async function loadBankLine(db: Db, secrets: Secrets, companyId: number, id: string): Promise<BankLine> {
  const rows = await db
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), inArray(bankLines.id, [id])))
  const [line] = await loadBankLineViews(db, secrets, companyId, rows)
  if (!line) throw new AppError('not-found')
  return line
}

const MAX_LISTED_STATEMENTS = 200

export async function listBankStatements(db: Db, companyId: number): Promise<BankStatement[]> {
  const rows = await db
    .select()
    .from(bankStatements)
    .where(eq(bankStatements.companyId, companyId))
    .orderBy(
      desc(sql`coalesce(${bankStatements.to}, ${bankStatements.createdAt}::date)`),
      desc(bankStatements.createdAt),
      desc(bankStatements.id),
    )
    .limit(MAX_LISTED_STATEMENTS)
  return rows.map(
    ({ id, accountId, format, reference, from, to, opening, closing, lines, gap, createdBy, createdAt }) => ({
      id,
      accountId,
      // The column only stores these values.
      format: format as BankStatement['format'],
      reference,
      from,
      to,
      opening,
      closing,
      lines,
      gap,
      by: createdBy,
      at: createdAt.toISOString(),
    }),
  )
}

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
/** What buyers owe in a company. Only documents: they alone have a number that a payment can quote. */
async function loadOwedItems(db: Db, companyId: number): Promise<AccountOpenItem[]> {
  const all: AccountOpenItem[] = []
  for (const { id } of await loadSellers(db, companyId))
    all.push(...(await loadOpenItems(db, companyId, { sellerId: id })))
  return all.filter(({ of, side }) => of === 'invoice' && side === 'debit')
}

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

/** Refuses to undo a provider's payout that a locked accounting month holds. */
async function requireNotBooked(tx: Db, { companyId, id, onlineAccountId, bookedOn }: BankLineRow) {
  if (!onlineAccountId) return
  const [booked] = await tx
    .select({ id: bookEntries.id })
    .from(bookEntries)
    .where(and(eq(bookEntries.companyId, companyId), eq(bookEntries.source, `online-payout:${id}`)))
  if (booked)
    throw new AppError('conflict', {
      message: `Le versement du ${formatLongDay(bookedOn)} est écrit dans un mois verrouillé\u00a0: il ne peut plus être repris.`,
    })
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
