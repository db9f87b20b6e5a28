import type { BookEntity, BookMonthView } from '@voisol/contract/book-views'
import { listMonthsBetween } from '@voisol/money/accounts/book-lock'
import { addDays } from '@voisol/money/days'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookLocks } from '../../../db/schema/index.ts'
import { formatMonthWithDe } from '../../../french.ts'
import { loadSellers } from '../parties/parties.ts'
import { type AccountingBook, loadBook, loadOpenFrom } from './book.ts'
import type { Entity } from './entity.ts'
import { findLockObstacle } from './lock.ts'
import { listOpenQuestions } from './notes.ts'
import { loadBookSettings } from './settings.ts'
import { type AccountingPeriod, getAccountingYear } from './year.ts'

/** The first day of any fact that an entity's books hold. */
async function loadFirstMonth(db: Db, { companyId, id }: Entity): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select least(
      (select min(least(issued_on, to_day - 1)) from invoices
        where company_id = ${companyId} and seller_id = ${id} and kind <> 'statement'),
      (select min(p.booked_on) from payments p
         left join bank_accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = ${companyId} and (p.seller_id = ${id} or a.owner_id = ${id})))::text as day`)
  const day = rows[0]?.day
  return day ? `${day.slice(0, 7)}-01` : null
}

export async function listBookEntities(db: Db, companyId: number): Promise<BookEntity[]> {
  const sellers = await loadSellers(db, companyId)
  const questions = await listOpenQuestions(db, companyId)
  const items: BookEntity[] = []
  for (const { id, name, siren } of sellers) {
    const entity = { companyId, id, name, siren }
    const open = await loadOpenFrom(db, entity)
    items.push({
      id,
      name,
      siren,
      lockedThrough: open && `${addDays(open, -1).slice(0, 7)}-01`,
      firstMonth: await loadFirstMonth(db, entity),
      yearStart: (await loadBookSettings(db, entity)).yearStart,
      questions: questions.filter(({ sellerId }) => sellerId === id).length,
    })
  }
  // Entities that sold something first: one without a document has no books to show.
  return items.sort((a, b) => Number(b.firstMonth !== null) - Number(a.firstMonth !== null))
}

type MonthSums = { entries: number; debit: number }
async function loadLockedMonthSums(
  db: Db,
  { companyId, id }: Entity,
  { from, to }: AccountingPeriod,
): Promise<Map<string, MonthSums>> {
  const { rows } = await db.execute<{ month: string; entries: string; debit: string }>(sql`
    select to_char(e.day, 'YYYY-MM') as month, count(distinct e.id) as entries, sum(l.debit) as debit
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.day >= ${from} and e.day < ${to}
     group by 1`)
  return new Map(rows.map(({ month, entries, debit }) => [month, { entries: Number(entries), debit: Number(debit) }]))
}

function sumDraftsOfMonth({ drafts }: AccountingBook, month: string): MonthSums {
  const own = drafts.filter(({ day }) => day.startsWith(month))
  return { entries: own.length, debit: own.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.debit, 0) }
}

/** Operations where the entity sells and whose energy of a month is not on a document yet. */
async function loadUnbilledWarnings(db: Db, { companyId, id }: Entity, month: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct o.name from invoices i
      join operations o on o.company_id = i.company_id and o.id = i.operation_id
     where i.company_id = ${companyId} and i.seller_id = ${id} and i.client_seller_id is null and i.from_day < ${month}
       and not exists (select 1 from invoices n where n.company_id = i.company_id and n.seller_id = i.seller_id
             and n.operation_id = i.operation_id and n.from_day <= ${month} and n.to_day > ${month})
     order by 1`)
  return rows.map(
    ({ name }) =>
      `L’énergie ${formatMonthWithDe(month)} de ${name} n’est pas encore facturée\u00a0: elle ne sera pas comptée en facture à établir.`,
  )
}

export async function listBookMonths(db: Db, entity: Entity, year: number) {
  const book = await loadBook(db, entity)
  const period = getAccountingYear(year, book.settings.yearStart)
  const stored = await loadLockedMonthSums(db, entity, period)
  const locks = await db
    .select()
    .from(bookLocks)
    .where(and(eq(bookLocks.companyId, entity.companyId), eq(bookLocks.sellerId, entity.id)))
  const items: BookMonthView[] = []
  for (const name of listMonthsBetween(period.from, addDays(period.to, -1))) {
    const month = `${name}-01`
    const lock = locks.find((one) => one.month === month)
    const sums = lock ? (stored.get(name) ?? { entries: 0, debit: 0 }) : sumDraftsOfMonth(book, name)
    const waits = lock ? '' : findLockObstacle(month)
    items.push({
      month,
      ...sums,
      locked: lock ? { at: lock.lockedAt.toISOString(), by: lock.lockedBy, hash: lock.hash } : null,
      waits,
      warnings: lock || waits ? [] : await loadUnbilledWarnings(db, entity, month),
    })
  }
  return { ...period, items }
}
