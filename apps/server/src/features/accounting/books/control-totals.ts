import type { ControlTotal } from '@voisol/contract/book-views'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { formatFrenchDay, formatFrenchMonth } from '@voisol/file-formats/french'
import { summarizeVat } from '@voisol/money/accounts/tax-summaries'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOpenItems } from '../../payments/payments/index.ts'
import { loadStatementYear } from '../../payments/statements/index.ts'
import { getAccountingYear, isInPeriod } from './accounting-year.ts'
import { BANK_FEE_SQL } from './bank-facts.ts'
import { type AccountingBook, type BookSum, loadBook, loadBookSums } from './book.ts'
import { type Entity, loadParties } from './book-entity.ts'
import { loadDocumentFacts, type SoldFact } from './book-facts.ts'

type ControlRow = ControlTotal['rows'][number]
const buildControlRow = (label: string, left: number, right: number): ControlRow => ({
  label,
  left,
  right,
  difference: left - right,
})

type ControlLabels = Pick<ControlTotal, 'name' | 'label'> & { left: string; right: string; note?: string }
/** The totals are computed from the rows, so they can never disagree with them. */
function buildControlTotal({ left, right, note = '', ...about }: ControlLabels, rows: ControlRow[]): ControlTotal {
  const sum = (side: 'left' | 'right') => rows.reduce((total, row) => total + row[side], 0)
  return {
    ...about,
    left: { label: left, cents: sum('left') },
    right: { label: right, cents: sum('right') },
    difference: sum('left') - sum('right'),
    note,
    rows,
  }
}

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const sumCentsWhere = (sums: readonly BookSum[], matchesSum: (sum: BookSum) => boolean): number =>
  sums.filter(matchesSum).reduce((total, { cents }) => total + cents, 0)

/** VAT of the documents by month of issue, against the VAT accounts by day of the supporting document. */
function buildVatControlTotal(documents: SoldFact[], sums: BookSum[], vat: string): ControlTotal {
  const months = [...new Set(documents.map(({ issued }) => issued.slice(0, 7)))].sort()
  const rows = months.map((month) => {
    const groups = summarizeVat(documents.filter(({ issued }) => issued.startsWith(month)))
    const isTax = ({ journal, pieceDay, account }: BookSum) =>
      journal === 'sales' && pieceDay.startsWith(month) && account.startsWith(vat)
    const due = groups.reduce((total, { tax }) => total + tax, 0)
    return buildControlRow(capitalize(formatFrenchMonth(`${month}-01`)), due, 0 - sumCentsWhere(sums, isTax))
  })
  return buildControlTotal(
    { name: 'vat', label: 'TVA collectée', left: 'Somme des documents émis', right: `Comptes ${vat}` },
    rows,
  )
}

/** The books' balance of each customer against the open items of its account. */
async function loadClientsControlTotal(
  db: Db,
  { entity, settings }: AccountingBook,
  sums: BookSum[],
): Promise<ControlTotal> {
  const { customer, doubtful, advances } = settings.chart
  const parties = await loadParties(db, entity.companyId)
  const accounts = new Map<string, { name: string; left: number; right: number }>()
  const add = (code: string, name: string, side: 'left' | 'right', cents: number) => {
    const known = accounts.get(code) ?? { name, left: 0, right: 0 }
    accounts.set(code, { ...known, [side]: known[side] + cents })
  }
  for (const { account, aux, auxLabel, cents } of sums)
    if ([customer, doubtful, advances].includes(account)) add(aux, auxLabel, 'left', cents)
  for (const item of await loadOpenItems(db, entity.companyId, { sellerId: entity.id })) {
    const party = item.clientSellerId ? parties.seller(item.clientSellerId) : parties.customer(item.buyerId ?? '')
    add(party.code, party.name, 'right', item.side === 'debit' ? item.open : -item.open)
  }
  const rows = [...accounts.values()]
    .filter(({ left, right }) => left !== 0 || right !== 0)
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
    .map(({ name, left, right }) => buildControlRow(name, left, right))
  const left = `Comptes ${customer}, ${doubtful} et ${advances}`
  return buildControlTotal({ name: 'clients', label: 'Clients', left, right: 'Somme de ce qui est ouvert' }, rows)
}

/** A producer's statements against its sales in the books, minus the fees invoiced to it. */
async function loadStatementsControlTotal(
  db: Db,
  actor: Actor,
  { entity, settings }: AccountingBook,
  sums: BookSum[],
  year: number,
): Promise<ControlTotal> {
  const { months } = await loadStatementYear(db, actor, entity.id, year)
  const waiting = months.filter(({ settled, documents }) => !settled && documents > 0).length
  const rows = months
    .filter(({ settled }) => settled)
    .map(({ month, result, fee }) => {
      const isSale = ({ journal, pieceDay, account }: BookSum) =>
        journal === 'sales' && pieceDay.startsWith(month.slice(0, 7)) && account === settings.chart.customer
      return buildControlRow(capitalize(formatFrenchMonth(month)), result, sumCentsWhere(sums, isSale) - fee.gross)
    })
  const words = waiting === 1 ? 'Un relevé n’est pas encore arrêté.' : `${waiting} relevés ne sont pas encore arrêtés.`
  return buildControlTotal(
    {
      name: 'statements',
      label: 'Relevés des producteurs',
      left: 'Résultat des relevés',
      right: 'Ventes moins frais facturés',
      note: waiting > 0 ? words : '',
    },
    rows,
  )
}

export async function loadControlTotals(db: Db, actor: Actor, entity: Entity, year: number): Promise<ControlTotal[]> {
  const book = await loadBook(db, entity)
  const period = getAccountingYear(year, book.settings.yearStart)
  const sums = await loadBookSums(db, book)
  const documents = await loadDocumentFacts(db, entity, await loadParties(db, entity.companyId), 'all')
  const inYear = documents.filter(({ issued }) => isInPeriod(period, issued))
  return [
    buildVatControlTotal(inYear, sums, book.settings.chart.vat),
    await loadClientsControlTotal(db, book, sums),
    await loadStatementsControlTotal(db, actor, book, sums, year),
    await loadBankControlTotal(db, book, sums),
  ]
}

type AmountsWithoutBankLine = { before: number; since: number }

/**
 * Whether a bank line that is still posted proves this payment. A return that a notice announced first is proved by the
 * line of its debit.
 */
const hasBankLineSql = (companyId: number) => sql`coalesce(case split_part(p.source, ':', 1)
    when 'entry' then split_part(p.source, ':', 2) || ':' || split_part(p.source, ':', 3)
    when 'debit' then split_part(p.source, ':', 3) || ':' || split_part(p.source, ':', 4) end
  in (select l.id || ':' || l.round from bank_lines l where l.company_id = ${companyId} and l.status = 'posted')
  or p.source like 'return:%' and split_part(p.source, ':', 2)
  in (select d.debit_id::text from bank_line_debits d where d.company_id = ${companyId} and d.effect = 'returned'), false)`

/**
 * Amounts on the bank account in the books that are on no statement: entered by hand, or older than the first
 * statement, up to the last one.
 */
async function loadAmountsWithoutBankLine(
  db: Db,
  { companyId, id }: Entity,
  { first, last }: { first: string; last: string },
): Promise<AmountsWithoutBankLine> {
  const { rows } = await db.execute<{ before: string; since: string }>(sql`
    with moved as (
      select p.booked_on as day,
             p.amount * case when coalesce(o.kind, p.kind) = 'receipt' then 1 else -1 end
                      * case when p.kind in ('return', 'undo') then -1 else 1 end as cents
        from payments p
        left join payments o on o.company_id = p.company_id and o.id = p.reverses_id
        left join bank_accounts a on a.company_id = p.company_id and a.id = coalesce(p.account_id, o.account_id)
       where p.company_id = ${companyId} and coalesce(o.kind, p.kind) in ('receipt', 'refund')
         and coalesce(o.method, p.method) <> 'setOff'
         and (a.owner_id = ${id} and a.kind = 'bank'
           or a.id is null and p.seller_id = ${id} and coalesce(o.method, p.method) <> 'cash')
         and not ${hasBankLineSql(companyId)}
      union all
      select p.paid_on, case when a.owner_id = ${id} then -p.amount else p.amount end
        from payouts p join bank_accounts a on a.company_id = p.company_id and a.id = p.account_id
       where p.company_id = ${companyId} and p.status = 'paid' and p.amount > 0
         and (p.seller_id = ${id} and a.owner_id <> ${id}
           or a.owner_id = ${id} and p.line_id is null and not exists (select 1 from bank_lines l
                where l.company_id = p.company_id and l.account_id = p.account_id
                  and l.end_to_end_id = p.end_to_end_id)))
    select coalesce(sum(cents) filter (where day < ${first}::date), 0) as before,
           coalesce(sum(cents) filter (where day >= ${first}::date), 0) as since
      from moved where day <= ${last}::date`)
  return { before: Number(rows[0]?.before), since: Number(rows[0]?.since) }
}

type AccountWithStatements = { id: string; name: string; opening: string; first: string; closing: string; last: string }
type WaitingLine = { account_id: string; label: string; day: string; amount: string }

/** The entity's bank accounts that have statements: their first opening and last closing balance. */
async function loadAccountsWithStatements(
  db: Db,
  { entity: { companyId, id } }: AccountingBook,
): Promise<AccountWithStatements[]> {
  const { rows } = await db.execute<AccountWithStatements>(sql`
    select a.id, a.name, f.opening, f.from_day::text as first, t.closing, t.to_day::text as last
      from bank_accounts a
      join lateral (select s.opening, s.from_day from bank_statements s where s.company_id = a.company_id
             and s.account_id = a.id and s.opening is not null order by s.from_day, s.created_at limit 1) f on true
      join lateral (select s.closing, s.to_day from bank_statements s where s.company_id = a.company_id
             and s.account_id = a.id and s.closing is not null order by s.to_day desc, s.created_at desc limit 1) t on true
     where a.company_id = ${companyId} and a.owner_id = ${id} and a.kind = 'bank'
     order by a.name`)
  return rows
}

/** Bank lines that nobody has posted or ignored yet. */
async function loadWaitingLines(db: Db, { entity: { companyId, id } }: AccountingBook): Promise<WaitingLine[]> {
  const { rows } = await db.execute<WaitingLine>(sql`
    select l.account_id, coalesce(nullif(l.label, ''), l.party) as label, l.booked_on::text as day, l.amount
      from bank_lines l join bank_accounts a on a.company_id = l.company_id and a.id = l.account_id
     where l.company_id = ${companyId} and a.owner_id = ${id}
       and (l.status = 'open' or l.status = 'ignored' and not (${BANK_FEE_SQL}))
       and not exists (select 1 from payouts p where p.company_id = l.company_id and p.account_id = l.account_id
             and p.status = 'paid' and (p.line_id = l.id or p.end_to_end_id = l.end_to_end_id))
     order by l.booked_on, l.id`)
  return rows
}

/** Not an error: the bank account in the books holds more than the imported statements. */
function describeWithoutBankLine({ before, since }: AmountsWithoutBankLine, bank: string): string {
  if (before === 0 && since === 0) return ''
  const what = [
    since !== 0 && `${formatEuros(since)} saisis à la main`,
    before !== 0 && `${formatEuros(before)} d’avant le premier relevé`,
  ].filter(Boolean)
  return `${formatEuros(before + since)} du compte ${bank} ne figurent sur aucun relevé importé\u00a0: ${what.join(' et ')}. Importez les relevés de ces jours pour les vérifier.`
}

const bankReconciliationBuildControlRow = (label: string, left: number, right: number) => ({
  label,
  left,
  right,
  difference: left - right,
})

/** The bank reconciliation: opening balances, booked amounts and waiting lines add up to the closing balances. */
async function loadBankControlTotal(db: Db, book: AccountingBook, sums: readonly BookSum[]): Promise<ControlTotal> {
  const { bank } = book.settings.chart
  const accounts = await loadAccountsWithStatements(db, book)
  const waiting = await loadWaitingLines(db, book)
  const sum = (of: (account: AccountWithStatements) => string) =>
    accounts.reduce((total, one) => total + Number(of(one)), 0)
  const last = accounts.reduce((day, one) => (one.last > day ? one.last : day), '')
  const booked = sumCentsWhere(sums, ({ account, pieceDay }) => account === bank && pieceDay <= last)
  const [opening, closing] = [sum((one) => one.opening), sum((one) => one.closing)]
  const left = waiting.reduce((total, one) => total + Number(one.amount), 0)
  const first = accounts.reduce((day, one) => (one.first < day ? one.first : day), last)
  const withoutBankLine =
    accounts.length > 0 ? await loadAmountsWithoutBankLine(db, book.entity, { first, last }) : { before: 0, since: 0 }
  const unseen = withoutBankLine.before + withoutBankLine.since
  const rows =
    accounts.length === 0
      ? []
      : [
          ...accounts.map((one) =>
            bankReconciliationBuildControlRow(
              `Ouverture de ${one.name}, ${formatFrenchDay(one.first)}`,
              Number(one.opening),
              Number(one.opening),
            ),
          ),
          bankReconciliationBuildControlRow(`Mouvements du compte ${bank}`, booked, closing - opening - left + unseen),
          ...[
            bankReconciliationBuildControlRow(
              `Sans relevé\u00a0: d’avant le ${formatFrenchDay(first)}`,
              0 - withoutBankLine.before,
              0 - withoutBankLine.before,
            ),
            bankReconciliationBuildControlRow(
              'Sans relevé\u00a0: saisi à la main',
              0 - withoutBankLine.since,
              0 - withoutBankLine.since,
            ),
          ].filter((one) => one.left !== 0),
          ...waiting.map((one) =>
            bankReconciliationBuildControlRow(
              `Pas encore affecté, ${formatFrenchDay(one.day)}\u00a0: ${one.label}`,
              Number(one.amount),
              Number(one.amount),
            ),
          ),
        ]
  const total = (side: 'left' | 'right') => rows.reduce((all, one) => all + one[side], 0)
  return {
    name: 'bank',
    label: 'Banque',
    left: { label: `Compte ${bank} et lignes en attente`, cents: total('left') },
    right: { label: 'Solde des derniers relevés', cents: total('right') },
    difference: total('left') - total('right'),
    note:
      accounts.length === 0 ? 'Aucun relevé bancaire n’est importé.' : describeWithoutBankLine(withoutBankLine, bank),
    rows,
  }
}
