import type { Tie } from '@voisol/contract/book-views'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import { euros } from '../../../papers/decimals.ts'
import { IS_FEE } from './bank-facts.ts'
import type { Book } from './book.ts'
import { type Sum, totalOf } from './sums.ts'
import { type Unbanked, unbanked } from './unbanked.ts'

type Account = { id: string; name: string; opening: string; first: string; closing: string; last: string }
type Waiting = { account_id: string; label: string; day: string; amount: string }

/** The accounts of an entity that have statements: where they began, and where the last one ends. */
async function accountsOf(db: Db, { entity: { companyId, id } }: Book): Promise<Account[]> {
  const { rows } = await db.execute<Account>(sql`
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

/** What the bank has seen and nobody has put anywhere. */
async function waitingOf(db: Db, { entity: { companyId, id } }: Book): Promise<Waiting[]> {
  const { rows } = await db.execute<Waiting>(sql`
    select l.account_id, coalesce(nullif(l.label, ''), l.party) as label, l.booked_on::text as day, l.amount
      from bank_lines l join bank_accounts a on a.company_id = l.company_id and a.id = l.account_id
     where l.company_id = ${companyId} and a.owner_id = ${id}
       and (l.status = 'open' or l.status = 'ignored' and not (${IS_FEE}))
       and not exists (select 1 from payouts p where p.company_id = l.company_id and p.account_id = l.account_id
             and p.status = 'paid' and (p.line_id = l.id or p.end_to_end_id = l.end_to_end_id))
     order by l.booked_on, l.id`)
  return rows
}

/** Not a fault: the bank's account holds more than the statements that were read. */
function unseenWords({ before, since }: Unbanked, bank: string): string {
  if (before === 0 && since === 0) return ''
  const what = [
    since !== 0 && `${euros(since)} saisis à la main`,
    before !== 0 && `${euros(before)} d’avant le premier relevé`,
  ].filter(Boolean)
  return `${euros(before + since)} du compte ${bank} ne figurent sur aucun relevé importé\u00a0: ${what.join(' et ')}. Importez les relevés de ces jours pour les vérifier.`
}

const row = (label: string, left: number, right: number) => ({ label, left, right, difference: left - right })

/** The bank reconciliation statement: openings, what is booked, and what waits make the closings. */
export async function bankTie(db: Db, book: Book, sums: readonly Sum[]): Promise<Tie> {
  const { bank } = book.settings.chart
  const accounts = await accountsOf(db, book)
  const waiting = await waitingOf(db, book)
  const sum = (of: (account: Account) => string) => accounts.reduce((total, one) => total + Number(of(one)), 0)
  const last = accounts.reduce((day, one) => (one.last > day ? one.last : day), '')
  const booked = totalOf(sums, ({ account, pieceDay }) => account === bank && pieceDay <= last)
  const [opening, closing] = [sum((one) => one.opening), sum((one) => one.closing)]
  const left = waiting.reduce((total, one) => total + Number(one.amount), 0)
  const first = accounts.reduce((day, one) => (one.first < day ? one.first : day), last)
  const apart = accounts.length > 0 ? await unbanked(db, book.entity, { first, last }) : { before: 0, since: 0 }
  const unseen = apart.before + apart.since
  const rows =
    accounts.length === 0
      ? []
      : [
          ...accounts.map((one) =>
            row(`Ouverture de ${one.name}, ${frenchDay(one.first)}`, Number(one.opening), Number(one.opening)),
          ),
          row(`Mouvements du compte ${bank}`, booked, closing - opening - left + unseen),
          ...[
            row(`Sans relevé\u00a0: d’avant le ${frenchDay(first)}`, 0 - apart.before, 0 - apart.before),
            row('Sans relevé\u00a0: saisi à la main', 0 - apart.since, 0 - apart.since),
          ].filter((one) => one.left !== 0),
          ...waiting.map((one) =>
            row(
              `Pas encore affecté, ${frenchDay(one.day)}\u00a0: ${one.label}`,
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
    note: accounts.length === 0 ? 'Aucun relevé bancaire n’est importé.' : unseenWords(apart, bank),
    rows,
  }
}
