import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntry } from '@voisol/money/accounts/book'
import {
  buildBankFeeEntry,
  buildOnlinePayoutEntry,
  buildPayoutEntry,
  buildReceivedPayoutEntry,
} from '@voisol/money/accounts/book-bank'
import { compareEntries, moveToOpenPeriod } from '@voisol/money/accounts/book-lock'
import {
  buildAdvanceEntry,
  buildDoubtfulClaimEntry,
  buildHolderEntry,
  buildMoneyEntry,
  buildSetOffEntry,
} from '@voisol/money/accounts/book-money'
import { buildCutoffEntries, buildDocumentEntry, getSupplyMonthEnd } from '@voisol/money/accounts/book-sales'
import { and, desc, eq, like } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookLocks } from '../../../db/schema/index.ts'
import { loadBankFees } from './bank-facts.ts'
import { loadDocumentFacts, type SoldFact } from './document-facts.ts'
import { loadDoubtFacts } from './doubts.ts'
import { type Entity, loadParties, type PartyFinder } from './entity.ts'
import { loadMoneyFacts, loadUsedAdvances } from './money-facts.ts'
import { loadOnlinePayouts } from './online-facts.ts'
import { loadOpeningEntries } from './opening-facts.ts'
import { loadPayoutFacts } from './payout-facts.ts'
import { loadBookSettings } from './settings.ts'

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
