import type { ControlTotal } from '@voisol/contract/book-views'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { formatFrenchDay } from '../../../french.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { BANK_FEE_SQL } from './bank-facts.ts'
import type { AccountingBook } from './book.ts'
import { type BookSum, sumCentsWhere } from './sums.ts'
import { type AmountsWithoutBankLine, loadAmountsWithoutBankLine } from './unbanked.ts'

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

const buildControlRow = (label: string, left: number, right: number) => ({
  label,
  left,
  right,
  difference: left - right,
})

/** The bank reconciliation: opening balances, booked amounts and waiting lines add up to the closing balances. */
export async function loadBankControlTotal(
  db: Db,
  book: AccountingBook,
  sums: readonly BookSum[],
): Promise<ControlTotal> {
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
            buildControlRow(
              `Ouverture de ${one.name}, ${formatFrenchDay(one.first)}`,
              Number(one.opening),
              Number(one.opening),
            ),
          ),
          buildControlRow(`Mouvements du compte ${bank}`, booked, closing - opening - left + unseen),
          ...[
            buildControlRow(
              `Sans relevé\u00a0: d’avant le ${formatFrenchDay(first)}`,
              0 - withoutBankLine.before,
              0 - withoutBankLine.before,
            ),
            buildControlRow('Sans relevé\u00a0: saisi à la main', 0 - withoutBankLine.since, 0 - withoutBankLine.since),
          ].filter((one) => one.left !== 0),
          ...waiting.map((one) =>
            buildControlRow(
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
