import { createHash } from 'node:crypto'
import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntity, BookMonthView } from '@voisol/contract/book-views'
import { formatFrenchMonth, formatMonthWithDe } from '@voisol/file-formats/french'
import {
  getFiscalYear,
  listMonthsBetween,
  type NumberedEntry,
  numberEntries,
} from '@voisol/money/accounts/book-entries'
import { getAccountLabel, type JournalName } from '@voisol/money/accounts/chart-of-accounts'
import { isBalanced } from '@voisol/money/accounts/fec'
import { addDays } from '@voisol/money/days'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookLines, bookLocks } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { listOpenQuestions } from './accountant-questions.ts'
import { type AccountingPeriod, getAccountingYear } from './accounting-year.ts'
import { type AccountingBook, getNextMonthStart, loadBook, loadOpenFrom } from './book.ts'
import { type Entity, loadBookSettings } from './book-entity.ts'

/** Makes concurrent locks of the same books wait for each other. */
const lockBooks = (tx: Db, { companyId, id }: Entity) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`books ${companyId} ${id}`}, 0))`)

type LastNumbers = Partial<Record<JournalName, number>>
async function loadLastNumbers(tx: Db, { companyId, id }: Entity, yearFrom: string): Promise<LastNumbers> {
  const rows = await tx
    .select({ journal: bookEntries.journal, last: sql<number>`max(${bookEntries.number})::int` })
    .from(bookEntries)
    .where(and(eq(bookEntries.companyId, companyId), eq(bookEntries.sellerId, id), eq(bookEntries.yearFrom, yearFrom)))
    .groupBy(bookEntries.journal)
  return Object.fromEntries(rows.map(({ journal, last }) => [journal, last]))
}

const INSERT_CHUNK_SIZE = 500
async function storeEntries(
  tx: Db,
  { companyId, id: sellerId }: Entity,
  settings: BookSettings,
  entries: NumberedEntry[],
  day: string,
) {
  const { chart, journals, yearStart } = settings
  const entriesWithIds = entries.map((entry) => ({ id: crypto.randomUUID(), entry }))
  for (let at = 0; at < entriesWithIds.length; at += INSERT_CHUNK_SIZE)
    await tx.insert(bookEntries).values(
      entriesWithIds.slice(at, at + INSERT_CHUNK_SIZE).map(({ id, entry }) => ({
        companyId,
        id,
        sellerId,
        source: entry.source,
        journal: entry.journal,
        journalCode: journals[entry.journal].code,
        journalLabel: journals[entry.journal].label,
        yearFrom: getFiscalYear(entry.day, yearStart).from,
        number: entry.number,
        day: entry.day,
        pieceRef: entry.piece.ref,
        pieceDay: entry.piece.day,
        label: entry.label,
        validatedOn: day,
      })),
    )
  const lines = entriesWithIds.flatMap(({ id, entry }) =>
    entry.rows.map((row, position) => ({
      companyId,
      entryId: id,
      position,
      ...row,
      accountLabel: getAccountLabel(row.account, chart),
    })),
  )
  for (let at = 0; at < lines.length; at += INSERT_CHUNK_SIZE)
    await tx.insert(bookLines).values(lines.slice(at, at + INSERT_CHUNK_SIZE))
}

/** Why a month cannot be locked yet; empty when it can. */
const findLockObstacle = (month: string): string =>
  getNextMonthStart(month) > getToday() ? 'Le mois n’est pas fini\u00a0: d’autres faits peuvent encore y entrer.' : ''

async function lockMonth(tx: Db, book: AccountingBook, month: string, by: string, at: Date): Promise<number> {
  const { entity, settings } = book
  const { companyId, id: sellerId } = entity
  const own = book.drafts.filter(({ day }) => day.slice(0, 7) === month.slice(0, 7))
  const unbalancedEntry = own.find(({ rows }) => !isBalanced(rows))
  if (unbalancedEntry)
    throw new AppError('conflict', {
      message: `L’écriture «\u00a0${unbalancedEntry.label}\u00a0» n’est pas équilibrée\u00a0: le mois ne peut pas être verrouillé.`,
    })
  const entries = numberEntries(own, await loadLastNumbers(tx, entity, getFiscalYear(month, settings.yearStart).from))
  await storeEntries(tx, entity, settings, entries, getToday())
  const [previous] = await tx
    .select({ hash: bookLocks.hash })
    .from(bookLocks)
    .where(and(eq(bookLocks.companyId, companyId), eq(bookLocks.sellerId, sellerId)))
    .orderBy(desc(bookLocks.month))
    .limit(1)
  const previousHash = previous?.hash ?? ''
  const hash = createHash('sha256').update(previousHash).update(toCanonicalJson(entries)).digest('hex')
  const values = { companyId, sellerId, month, entries: entries.length, hash, previousHash }
  await tx.insert(bookLocks).values({ ...values, lockedAt: at, lockedBy: by })
  return entries.length
}

/** Locks a month and every open one before it: entries get their numbers, and no entry can be added afterwards. */
export async function lockMonthsThrough(tx: Db, entity: Entity, month: string, by: string, at = new Date()) {
  await lockBooks(tx, entity)
  const book = await loadBook(tx, entity)
  const first = `${month}-01`
  if (book.openFrom !== null && first < book.openFrom) return { months: [], entries: 0, already: true }
  const obstacle = findLockObstacle(first)
  if (obstacle) throw fieldError('month', obstacle, 'conflict')
  const from = book.openFrom ?? book.drafts[0]?.day
  if (from === undefined || from.slice(0, 7) > month)
    throw fieldError('month', `Rien n’est encore entré dans les livres en ${formatFrenchMonth(first)}.`, 'conflict')
  const months = listMonthsBetween(from, first).map((one) => `${one}-01`)
  let entries = 0
  for (const one of months) entries += await lockMonth(tx, book, one, by, at)
  return { months, entries, already: false }
}

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
