import type { BookSettings } from '@voisol/contract/book-settings'
import type { BookEntry } from '@voisol/money/accounts/book'
import { bankFeeEntry, onlinePayoutEntry, payoutEntry, receivedEntry } from '@voisol/money/accounts/book-bank'
import { inOrder, placed } from '@voisol/money/accounts/book-lock'
import { advanceEntry, doubtEntry, heldEntry, moneyEntry, setOffEntry } from '@voisol/money/accounts/book-money'
import { cutoffEntries, documentEntry, suppliedOn } from '@voisol/money/accounts/book-sales'
import { and, desc, eq, like } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookEntries, bookLocks } from '../../../db/schema/index.ts'
import { bankFees } from './bank-facts.ts'
import { documentFacts, type SoldFact } from './document-facts.ts'
import { doubtFacts } from './doubts.ts'
import { type Entity, type Parties, partiesOf } from './entity.ts'
import { moneyFacts, usedAdvances } from './money-facts.ts'
import { onlinePayouts } from './online-facts.ts'
import { openingEntries } from './opening-facts.ts'
import { payoutFacts } from './payout-facts.ts'
import { settingsOf } from './settings.ts'

/** An entity's books: what is locked stands in the database, the rest follows from its facts whenever it is read. */
export type Book = {
  entity: Entity
  settings: BookSettings
  /** First day of the first month that is open; null where none was ever locked. */
  openFrom: string | null
  drafts: BookEntry[]
}

export const monthAfter = (month: string): string =>
  Temporal.PlainDate.from(month).add({ months: 1 }).with({ day: 1 }).toString()

export async function openFromOf(db: Db, { companyId, id }: Entity): Promise<string | null> {
  const [last] = await db
    .select({ month: bookLocks.month })
    .from(bookLocks)
    .where(and(eq(bookLocks.companyId, companyId), eq(bookLocks.sellerId, id)))
    .orderBy(desc(bookLocks.month))
    .limit(1)
  return last ? monthAfter(last.month) : null
}

async function accruedSources(db: Db, { companyId, id }: Entity): Promise<Set<string>> {
  const rows = await db
    .select({ source: bookEntries.source })
    .from(bookEntries)
    .where(
      and(eq(bookEntries.companyId, companyId), eq(bookEntries.sellerId, id), like(bookEntries.source, 'accrued%')),
    )
  return new Set(rows.map(({ source }) => source))
}

/** An accrual that its locked month does not hold was never made, and there is nothing to take back. */
function cutoffs(documents: SoldFact[], { chart }: BookSettings, openFrom: string | null, stored: Set<string>) {
  return documents
    .filter(({ id, to }) => openFrom === null || suppliedOn(to) >= openFrom || stored.has(`accrued:${id}`))
    .flatMap((document) => cutoffEntries(document, chart))
    .filter(({ source }) => !stored.has(source))
}

async function moneyEntries(db: Db, entity: Entity, settings: BookSettings, parties: Parties): Promise<BookEntry[]> {
  const { chart, smallWriteOff: small } = settings
  const known = { parties, small }
  const own = await moneyFacts(db, entity, 'own', known)
  const held = await moneyFacts(db, entity, 'held', known)
  const setOff = await moneyFacts(db, entity, 'setOff', known)
  const used = await usedAdvances(db, entity, parties)
  const fees = await bankFees(db, entity)
  const paidOn = await payoutFacts(db, entity, 'payout', parties)
  const received = await payoutFacts(db, entity, 'payout-in', parties)
  const online = await onlinePayouts(db, entity)
  return [
    ...own.map(({ fact }) => moneyEntry(fact, chart)),
    ...held.map(({ fact, sellerId }) => heldEntry(fact, parties.seller(sellerId), chart)),
    ...setOff.map(({ fact, sellerId }) => setOffEntry(fact, parties.seller(sellerId), chart)),
    ...used.map((one) => advanceEntry(one, chart)),
    ...fees.map((one) => bankFeeEntry(one, chart)),
    ...paidOn.map((one) => payoutEntry(one, chart)),
    ...received.map((one) => receivedEntry(one, chart)),
    ...online.map((one) => onlinePayoutEntry(one, chart)),
  ]
}

/** Everything that no locked month holds yet, in order, each where it stands or on the first day that is open. */
export async function readBook(db: Db, entity: Entity): Promise<Book> {
  const settings = await settingsOf(db, entity)
  const openFrom = await openFromOf(db, entity)
  const parties = await partiesOf(db, entity.companyId)
  const documents = await documentFacts(db, entity, parties, 'open')
  const stored = await accruedSources(db, entity)
  const doubts = await doubtFacts(db, entity, parties)
  const entries = [
    ...documents.map((document) => documentEntry(document, settings.chart)),
    ...cutoffs(documents, settings, openFrom, stored),
    ...(await moneyEntries(db, entity, settings, parties)),
    ...doubts.map((doubt) => doubtEntry(doubt, settings.chart)),
  ]
  const written = entries.map((entry) => placed(entry, openFrom))
  const opened = await openingEntries(db, entity, settings, { openFrom, drafts: written })
  const drafts = [...opened, ...written].sort(inOrder)
  return { entity, settings, openFrom, drafts }
}
