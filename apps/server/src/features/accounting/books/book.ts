import type { BookSettings } from '@voisol/contract/book-settings'
import { type BookEntry, compareEntries, getFiscalYear, moveToOpenPeriod } from '@voisol/money/accounts/book-entries'
import {
  buildAdvanceEntry,
  buildBankFeeEntry,
  buildCutoffEntries,
  buildDocumentEntry,
  buildDoubtfulClaimEntry,
  buildHolderEntry,
  buildMoneyEntry,
  buildOnlinePayoutEntry,
  buildPayoutEntry,
  buildReceivedPayoutEntry,
  buildSetOffEntry,
  getSupplyMonthEnd,
} from '@voisol/money/accounts/build-entries'
import { buildOpeningEntry, listYearOpenings, type YearBalance } from '@voisol/money/accounts/opening-entries'
import { and, desc, eq, like, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookLocks } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadBankFees, loadPayoutFacts } from './bank-facts.ts'
import { type Entity, loadBookSettings, loadParties, type PartyFinder } from './book-entity.ts'
import { loadDocumentFacts, loadMoneyFacts, loadOnlinePayouts, loadUsedAdvances, type SoldFact } from './book-facts.ts'
import { loadDoubtFacts } from './doubtful-debts.ts'

/** An entity's books: locked entries are stored, the others are derived from their facts at every read. */
export type AccountingBook = {
  entity: Entity
  settings: BookSettings
  /** First day of the first open month; null when no month was ever locked. */
  openFrom: string | null
  drafts: BookEntry[]
}

export const getNextMonthStart = (month: string): string =>
  Temporal.PlainDate.from(month).add({ months: 1 }).with({ day: 1 }).toString()

export async function loadOpenFrom(db: Db, { companyId, id }: Entity): Promise<string | null> {
  const [last] = await db
    .select({ month: bookLocks.month })
    .from(bookLocks)
    .where(and(eq(bookLocks.companyId, companyId), eq(bookLocks.sellerId, id)))
    .orderBy(desc(bookLocks.month))
    .limit(1)
  return last ? getNextMonthStart(last.month) : null
}

async function loadAccruedSources(db: Db, { companyId, id }: Entity): Promise<Set<string>> {
  const rows = await db
    .select({ source: bookEntries.source })
    .from(bookEntries)
    .where(
      and(eq(bookEntries.companyId, companyId), eq(bookEntries.sellerId, id), like(bookEntries.source, 'accrued%')),
    )
  return new Set(rows.map(({ source }) => source))
}

/** An accrual missing from its locked month was never booked, so there is nothing to reverse. */
function loadCutoffEntries(
  documents: SoldFact[],
  { chart }: BookSettings,
  openFrom: string | null,
  stored: Set<string>,
) {
  return documents
    .filter(({ id, to }) => openFrom === null || getSupplyMonthEnd(to) >= openFrom || stored.has(`accrued:${id}`))
    .flatMap((document) => buildCutoffEntries(document, chart))
    .filter(({ source }) => !stored.has(source))
}

async function loadMoneyEntries(
  db: Db,
  entity: Entity,
  settings: BookSettings,
  parties: PartyFinder,
): Promise<BookEntry[]> {
  const { chart, smallWriteOff: small } = settings
  const context = { parties, small }
  const own = await loadMoneyFacts(db, entity, 'own', context)
  const heldFacts = await loadMoneyFacts(db, entity, 'held', context)
  const setOff = await loadMoneyFacts(db, entity, 'setOff', context)
  const used = await loadUsedAdvances(db, entity, parties)
  const fees = await loadBankFees(db, entity)
  const paidOn = await loadPayoutFacts(db, entity, 'payout', parties)
  const received = await loadPayoutFacts(db, entity, 'payout-in', parties)
  const online = await loadOnlinePayouts(db, entity)
  return [
    ...own.map(({ fact }) => buildMoneyEntry(fact, chart)),
    ...heldFacts.map(({ fact, sellerId }) => buildHolderEntry(fact, parties.seller(sellerId), chart)),
    ...setOff.map(({ fact, sellerId }) => buildSetOffEntry(fact, parties.seller(sellerId), chart)),
    ...used.map((one) => buildAdvanceEntry(one, chart)),
    ...fees.map((one) => buildBankFeeEntry(one, chart)),
    ...paidOn.map((one) => buildPayoutEntry(one, chart)),
    ...received.map((one) => buildReceivedPayoutEntry(one, chart)),
    ...online.map((one) => buildOnlinePayoutEntry(one, chart)),
  ]
}

/** Every entry that no locked month holds yet, in order, dated on its own day or on the first open day. */
export async function loadBook(db: Db, entity: Entity): Promise<AccountingBook> {
  const settings = await loadBookSettings(db, entity)
  const openFrom = await loadOpenFrom(db, entity)
  const parties = await loadParties(db, entity.companyId)
  const documents = await loadDocumentFacts(db, entity, parties, 'open')
  const stored = await loadAccruedSources(db, entity)
  const doubts = await loadDoubtFacts(db, entity, parties)
  const entries = [
    ...documents.map((document) => buildDocumentEntry(document, settings.chart)),
    ...loadCutoffEntries(documents, settings, openFrom, stored),
    ...(await loadMoneyEntries(db, entity, settings, parties)),
    ...doubts.map((doubt) => buildDoubtfulClaimEntry(doubt, settings.chart)),
  ]
  const placedEntries = entries.map((entry) => moveToOpenPeriod(entry, openFrom))
  const opened = await loadOpeningEntries(db, entity, settings, { openFrom, drafts: placedEntries })
  const drafts = [...opened, ...placedEntries].sort(compareEntries)
  return { entity, settings, openFrom, drafts }
}

/** Debits minus credits, by journal, day of the supporting document, account and auxiliary account. */
export type BookSum = {
  journal: string
  pieceDay: string
  account: string
  aux: string
  auxLabel: string
  cents: number
}

/** All entries, locked or not, summed by key, without opening entries, which repeat the years before. */
export async function loadBookSums(db: Db, { entity, drafts }: AccountingBook): Promise<BookSum[]> {
  const { rows } = await db.execute<Omit<BookSum, 'cents'> & { cents: string }>(sql`
    select e.journal, e.piece_day::text as "pieceDay", l.account, l.aux, max(l.aux_label) as "auxLabel",
           sum(l.debit - l.credit) as cents
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${entity.companyId} and e.seller_id = ${entity.id} and e.journal <> 'opening'
     group by 1, 2, 3, 4`)
  const moved = drafts.filter(({ journal }) => journal !== 'opening')
  const open = moved.flatMap(({ journal, piece, rows: lines }) =>
    lines.map(({ account, aux, auxLabel, debit, credit }) => {
      const about = { journal, pieceDay: piece.day, account, aux, auxLabel }
      return { ...about, cents: debit - credit }
    }),
  )
  return [...rows.map((row) => ({ ...row, cents: Number(row.cents) })), ...open]
}

type Row = Omit<YearBalance, 'cents'> & { cents: string }

/** Sums of locked months, by year, without opening entries: those only repeat the years before. */
async function loadLockedSums(db: Db, { companyId, id }: Entity): Promise<YearBalance[]> {
  const { rows } = await db.execute<Row>(sql`
    select l.account, l.aux, max(l.aux_label) as "auxLabel", e.year_from::text as "yearFrom", sum(l.debit - l.credit) as cents
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.journal <> 'opening'
     group by l.account, l.aux, e.year_from`)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

const sumDraftsByYear = (drafts: readonly BookEntry[], yearStart: number): YearBalance[] =>
  drafts.flatMap(({ day, rows }) => {
    const { from: yearFrom } = getFiscalYear(day, yearStart)
    return rows.map(({ account, aux, auxLabel, debit, credit }) => {
      const about = { account, aux, auxLabel, yearFrom }
      return { ...about, cents: debit - credit }
    })
  })

/** Opening entries of the years whose first month is not locked; a locked one already holds its own. */
async function loadOpeningEntries(
  db: Db,
  entity: Entity,
  { yearStart, chart }: BookSettings,
  { openFrom, drafts }: { openFrom: string | null; drafts: readonly BookEntry[] },
): Promise<BookEntry[]> {
  const sums = [...(await loadLockedSums(db, entity)), ...sumDraftsByYear(drafts, yearStart)]
  const [first] = sums.map(({ yearFrom }) => yearFrom).sort()
  if (!first) return []
  return listYearOpenings(first, getToday(), yearStart)
    .filter((from) => openFrom === null || from >= openFrom)
    .flatMap((from) => buildOpeningEntry(from, sums, chart) ?? [])
}
