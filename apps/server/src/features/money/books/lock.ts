import { createHash } from 'node:crypto'
import type { BookSettings } from '@voisol/contract/book-settings'
import { getFiscalYear, listMonthsBetween, type NumberedEntry, numberEntries } from '@voisol/money/accounts/book-lock'
import { getAccountLabel, type JournalName } from '@voisol/money/accounts/chart'
import { isBalanced } from '@voisol/money/accounts/fec'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookLines, bookLocks } from '../../../db/schema/index.ts'
import { formatFrenchMonth } from '../../../french.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { type AccountingBook, getNextMonthStart, loadBook } from './book.ts'
import type { Entity } from './entity.ts'

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
export const findLockObstacle = (month: string): string =>
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
