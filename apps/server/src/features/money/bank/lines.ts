import type { BankLine, bank, MatchProposal } from '@voisol/contract/bank'
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { bankLines, participants, sellers } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import type { Secrets } from '../../../secrets.ts'
import { loadBankAccounts } from '../mandates/mandates.ts'
import type { PayableItem } from '../payments/payments.ts'
import { type BankLineRow, createLineMatcher, getMatchStepLabel, type LineMatch } from './find.ts'
import { loadMatchingData, type MatchingData } from './known.ts'

type BankLineQuery = z.output<typeof bank.lines.query>
export type NameById = ReadonlyMap<string, string>

/** Names of those who can owe: participants, and producers for the fees they are charged. */
export async function loadDebtorNames(db: Db, companyId: number): Promise<NameById> {
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
export function toProposal(
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

export async function loadBankLine(db: Db, secrets: Secrets, companyId: number, id: string): Promise<BankLine> {
  const rows = await db
    .select()
    .from(bankLines)
    .where(and(eq(bankLines.companyId, companyId), inArray(bankLines.id, [id])))
  const [line] = await loadBankLineViews(db, secrets, companyId, rows)
  if (!line) throw new AppError('not-found')
  return line
}
