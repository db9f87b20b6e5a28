import { Readable } from 'node:stream'
import type { Account, BilledTotals, InvoiceRow } from '@voisol/contract/invoice-views'
import type { ArchiveQuery, InvoiceQuery } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { formatFrenchMonth } from '@voisol/file-formats/french'
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { invoiceDeliveries, invoices, operations, participants, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { getToday } from '../../../today.ts'
import {
  computeInvoiceTotals,
  computeOpenAmountsOfAccounts,
  getInvoiceState,
  loadOpenAmounts,
  loadPairAccounts,
  type PairAccount,
  sumDocuments,
} from './account-ledger.ts'
import { buildDocumentFileName, loadDocumentFile } from './document-files.ts'
import { findInvoiceById, invoiceScope } from './load-invoice.ts'

/** The operations, sellers and months that have at least one document. */
export async function loadInvoiceFilterChoices(db: Db, actor: Actor) {
  const own = invoiceScope(actor)
  const month = sql<string>`to_char(${invoices.from}, 'YYYY-MM-01')`
  const [inOperations, bySellers, months] = [
    await db
      .selectDistinct({ id: operations.id, name: operations.name })
      .from(invoices)
      .innerJoin(operations, and(eq(operations.companyId, invoices.companyId), eq(operations.id, invoices.operationId)))
      .where(own)
      .orderBy(asc(operations.name)),
    await db
      .selectDistinct({ id: sellers.id, name: sellers.name })
      .from(invoices)
      .innerJoin(sellers, and(eq(sellers.companyId, invoices.companyId), eq(sellers.id, invoices.sellerId)))
      .where(own)
      .orderBy(asc(sellers.name)),
    await db.selectDistinct({ month }).from(invoices).where(own).orderBy(desc(month)),
  ]
  return { operations: inOperations, sellers: bySellers, months: months.map((row) => row.month) }
}

type Filters = z.output<typeof ArchiveQuery>

/** Values as printed: a name changed since does not change the issued document. */
const printedValueSql = (path: string) => sql<string>`${invoices.snapshot} #>> ${sql.raw(`'{${path}}'`)}`
const SORTS = {
  issuedOn: sql`(${invoices.issuedOn}, ${invoices.number})`,
  number: invoices.number,
  dueOn: invoices.dueOn,
  month: invoices.from,
  buyer: sql`fold(${printedValueSql('buyer,name')})`,
  gross: sql`case when ${invoices.kind} = 'creditNote' then -${invoices.gross} else ${invoices.gross} end`,
}
const getNextMonth = (month: string) => Temporal.PlainDate.from(month).with({ day: 1 }).add({ months: 1 }).toString()

const buildInvoiceFilter = (query: Filters): SQL | undefined =>
  and(
    query.operationId ? eq(invoices.operationId, query.operationId) : undefined,
    query.sellerId ? eq(invoices.sellerId, query.sellerId) : undefined,
    query.buyerId ? eq(invoices.buyerId, query.buyerId) : undefined,
    query.kind && eq(invoices.kind, query.kind),
    query.month ? and(lt(invoices.from, getNextMonth(query.month)), gt(invoices.to, query.month)) : undefined,
    matchesSearchWords(query.q, [invoices.number, printedValueSql('buyer,name'), printedValueSql('seller,name')]),
  )

/** Every matching document in order, with its open amount. */
async function loadMatchingInvoices(db: Db, actor: Actor, query: Filters & { sort?: string | undefined }) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const rows = await db
    .select({
      id: invoices.id,
      kind: invoices.kind,
      buyerId: invoices.buyerId,
      dueOn: invoices.dueOn,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(and(invoiceScope(actor), buildInvoiceFilter(query)))
    .orderBy(buildOrderBy(query.sort, SORTS, '-issuedOn'), desc(invoices.number))
  const buyers = new Set(rows.map(({ buyerId }) => buyerId))
  const few = buyers.size <= 50 && !buyers.has(null) ? [...buyers].flatMap((id) => id ?? []) : undefined
  const open = await loadOpenAmounts(db, actor.companyId, few)
  const day = getToday()
  const all = rows.map((row) => {
    const withOpen = { ...row, open: open.get(row.id) ?? 0 }
    return { ...withOpen, state: getInvoiceState(withOpen, day) }
  })
  return query.state ? all.filter(({ state }) => state === query.state) : all
}
type MatchingInvoice = Awaited<ReturnType<typeof loadMatchingInvoices>>[number]

async function loadLastDeliveries(db: Db, companyId: number, ids: string[]) {
  const rows = await db
    .selectDistinctOn([invoiceDeliveries.invoiceId])
    .from(invoiceDeliveries)
    .where(and(eq(invoiceDeliveries.companyId, companyId), inArray(invoiceDeliveries.invoiceId, ids)))
    .orderBy(invoiceDeliveries.invoiceId, desc(invoiceDeliveries.createdAt))
  return new Map(rows.map(({ invoiceId, channel, state }) => [invoiceId, { channel, state }]))
}

const ROW_COLUMNS = {
  id: invoices.id,
  number: invoices.number,
  kind: sql<InvoiceRow['kind']>`${invoices.kind}`,
  operation: { id: invoices.operationId, name: printedValueSql('operation,name') },
  seller: { id: invoices.sellerId, name: printedValueSql('seller,name') },
  buyer: { id: printedValueSql('buyer,id'), name: printedValueSql('buyer,name') },
  issuedOn: invoices.issuedOn,
  dueOn: invoices.dueOn,
  from: invoices.from,
  to: invoices.to,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}

/** The rows of a page, in the given order. */
async function loadInvoiceRows(db: Db, companyId: number, page: MatchingInvoice[]): Promise<InvoiceRow[]> {
  const ids = page.map(({ id }) => id)
  if (!ids.length) return []
  const found = await db
    .select(ROW_COLUMNS)
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), inArray(invoices.id, ids)))
  const byId = new Map(found.map((row) => [row.id, row]))
  const deliveries = await loadLastDeliveries(db, companyId, ids)
  return page.flatMap(({ id, open, state }) => {
    const row = byId.get(id)
    return row ? [{ ...row, open, state, delivery: deliveries.get(id) ?? null }] : []
  })
}

export async function listInvoices(db: Db, actor: Actor, query: z.output<typeof InvoiceQuery>) {
  const all = await loadMatchingInvoices(db, actor, query)
  const { limit, offset } = toLimitOffset(query)
  const items = await loadInvoiceRows(db, actor.companyId, all.slice(offset, offset + limit))
  return { items, total: all.length, totals: computeInvoiceTotals(all, getToday()) }
}

/** What each buyer owes, largest amount first. */
export async function listBuyerBalances(db: Db, actor: Actor, q: string | undefined): Promise<Account[]> {
  const rows = await db
    .select({
      id: invoices.id,
      buyerId: sql<string>`${invoices.buyerId}`,
      kind: invoices.kind,
      dueOn: invoices.dueOn,
      issuedOn: invoices.issuedOn,
      net: invoices.net,
      tax: invoices.tax,
      gross: invoices.gross,
    })
    .from(invoices)
    .where(and(invoiceScope(actor), isNotNull(invoices.buyerId)))
  const pairAccounts = await loadPairAccounts(db, actor.companyId)
  const open = computeOpenAmountsOfAccounts(pairAccounts)
  const day = getToday()
  const documentsWithState = rows.map((row) => {
    const own = { ...row, open: open.get(row.id) ?? 0 }
    return { ...own, state: getInvoiceState(own, day) }
  })
  const names = await loadBuyerNames(db, actor.companyId, [...new Set(rows.map(({ buyerId }) => buyerId))], q)
  const accounts = [...Map.groupBy(documentsWithState, ({ buyerId }) => buyerId)].flatMap(([id, own]) => {
    const name = names.get(id)
    if (name === undefined) return []
    const { documents, gross: billed, open: left, overdue, credit } = computeInvoiceTotals(own, day)
    const money = sumOpenMoney(pairAccounts, id, open)
    const lastOn = own.reduce((last, { issuedOn }) => (issuedOn > last ? issuedOn : last), '')
    const owed = { open: left + money.debit, overdue, credit: credit + money.credit }
    return [{ buyer: { id, name }, documents, billed, ...owed, lastOn }]
  })
  return accounts.sort(
    (a, b) => b.overdue - a.overdue || b.open - a.open || a.buyer.name.localeCompare(b.buyer.name, 'fr'),
  )
}

/** What a buyer owes or is owed besides documents: charges and advances. */
function sumOpenMoney(pairAccounts: readonly PairAccount[], buyerId: string, open: ReadonlyMap<string, number>) {
  const left = { debit: 0, credit: 0 }
  for (const { pair, entries } of pairAccounts)
    if (pair.buyerId === buyerId)
      for (const { id, of, side } of entries) if (of === 'money') left[side] += open.get(id) ?? 0
  return left
}

async function loadBuyerNames(db: Db, companyId: number, ids: string[], q: string | undefined) {
  if (!ids.length) return new Map<string, string>()
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(
      and(
        eq(participants.companyId, companyId),
        inArray(participants.id, ids),
        matchesSearchWords(q, [participants.name]),
      ),
    )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const BILLED_COLUMNS = {
  id: invoices.id,
  kind: invoices.kind,
  from: invoices.from,
  dueOn: invoices.dueOn,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}
type BilledRow = Pick<typeof invoices.$inferSelect, keyof typeof BILLED_COLUMNS>

/** Invoices to participants; what an organiser invoices to a producer is excluded. */
const invoicedToParticipantsSql = (actor: Actor, operationId?: string) =>
  and(
    invoiceScope(actor),
    isNotNull(invoices.buyerId),
    operationId === undefined ? undefined : eq(invoices.operationId, operationId),
  )

const toBilledTotals = (rows: readonly BilledRow[]): BilledTotals => ({ documents: rows.length, ...sumDocuments(rows) })

async function loadOpenTotals(db: Db, actor: Actor, operationId?: string) {
  const rows = await db.select(BILLED_COLUMNS).from(invoices).where(invoicedToParticipantsSql(actor, operationId))
  const open = await loadOpenAmounts(db, actor.companyId)
  const day = getToday()
  const all = rows.map((row) => {
    const own = { ...row, open: open.get(row.id) ?? 0 }
    return { ...own, state: getInvoiceState(own, day) }
  })
  const { open: left, overdue } = computeInvoiceTotals(all, day)
  return { none: rows.length === 0, open: left, overdue }
}

const loadParticipantDocuments = (
  db: Db,
  actor: Actor,
  from: string,
  to: string,
  operationId?: string,
): Promise<BilledRow[]> =>
  db
    .select(BILLED_COLUMNS)
    .from(invoices)
    .where(and(invoicedToParticipantsSql(actor, operationId), gte(invoices.from, from), lt(invoices.from, to)))

/** Extends the period to whole months, since an invoice covers whole months. */
const toWholeMonths = (from: string, to: string) => {
  const last = monthOf(to)
  return { from: monthOf(from), to: last === to && to > from ? to : addMonths(last, 1) }
}

type BilledFiguresInput = { from: string; to: string; operationId?: string | undefined }

export async function loadBilledFigures(db: Db, actor: Actor, { operationId, ...days }: BilledFiguresInput) {
  if (operationId) await requireVisibleOperation(db, actor, operationId)
  const { from, to } = toWholeMonths(days.from, days.to)
  const rows = await loadParticipantDocuments(db, actor, from, to, operationId)
  const before = await loadParticipantDocuments(db, actor, addMonths(from, -12), addMonths(to, -12), operationId)
  const months = [...Map.groupBy(rows, (row) => monthOf(row.from))]
    .map(([month, own]) => ({ month, ...toBilledTotals(own) }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
  const lastYear = before.length > 0 ? toBilledTotals(before) : null
  return { from, to, months, total: toBilledTotals(rows), lastYear, ...(await loadOpenTotals(db, actor, operationId)) }
}

const MAX_ARCHIVED_DOCUMENTS = 2000

/** Streams the files one by one, so that a year of documents is never in memory at once. */
async function* streamDocumentFiles(deps: Deps, companyId: number, ids: string[]): AsyncGenerator<ZipEntryInput> {
  for (const id of ids) {
    const invoice = await findInvoiceById(deps.db, companyId, id)
    if (!invoice) continue
    yield {
      name: buildDocumentFileName(invoice.snapshot, 'pdf'),
      content: await loadDocumentFile(deps, invoice, 'pdf'),
      on: invoice.issuedOn,
    }
  }
}

export async function buildInvoiceArchive(deps: Deps, actor: Actor, query: z.output<typeof ArchiveQuery>) {
  const ids = (await loadMatchingInvoices(deps.db, actor, query)).map(({ id }) => id)
  if (!ids.length)
    throw new AppError('invalid', {
      message: 'Aucun document ne correspond à ces filtres\u00a0: il n’y a rien à télécharger.',
    })
  if (ids.length > MAX_ARCHIVED_DOCUMENTS)
    throw new AppError('invalid', {
      message: `Une archive contient ${MAX_ARCHIVED_DOCUMENTS.toLocaleString('fr-FR')} documents au plus, et ces filtres en donnent ${ids.length.toLocaleString('fr-FR')}\u00a0: choisissez un mois ou une opération.`,
    })
  return {
    name: buildDatedFileName('factures', 'zip'),
    content: Readable.from(createZipStream(streamDocumentFiles(deps, actor.companyId, ids))),
  }
}

const searchTextSql = searchTextColumn(invoices)
/** A year of invoices repeats each name twelve times, so for similar names the latest are enough. */
const MAX_SIMILAR_INVOICES = 120

/** Searches printed numbers and buyers in the index alone; only the rows shown are read. */
export const searchInvoices: SearchSource = async (db, actor, look) => {
  const best = db
    .select({ id: invoices.id, text: searchTextSql.as('words'), rank: look.rank(searchTextSql).as('rank') })
    .from(invoices)
    .where(and(invoiceScope(actor), look.holds(searchTextSql)))
    .orderBy(sql`rank`, sql`${invoices.issuedOn} desc`, invoices.id)
    .limit(Math.min(look.most, MAX_SIMILAR_INVOICES))
    .as('best')
  const rows = await db
    .select({
      id: invoices.id,
      number: invoices.number,
      kind: sql<keyof typeof INVOICE_KIND_LABELS>`${invoices.kind}`,
      from: invoices.from,
      buyer: sql<string>`${invoices.snapshot} #>> '{buyer,name}'`,
      text: best.text,
    })
    .from(best)
    .innerJoin(invoices, and(eq(invoices.companyId, actor.companyId), eq(invoices.id, best.id)))
    .orderBy(best.rank, sql`${invoices.issuedOn} desc`, invoices.id)
  return rows.map(({ id, number, kind, from, buyer, text }) => ({
    kind: 'invoice',
    id,
    title: `${INVOICE_KIND_LABELS[kind]} ${number}`,
    detail: `${buyer} · ${formatFrenchMonth(from)}`,
    to: actor.space === 'portal' ? `/client-portal/invoices?facture=${id}` : `/invoice/${id}`,
    text,
  }))
}
