import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import type { DueNoticeData } from '@voisol/documents/due-notice-pdf'
import { and, asc, eq, ne } from 'drizzle-orm'
import { loadBrand } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, mandates } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadCreditorsOn } from '../parties/index.ts'
import { loadOpenAmounts } from './account-ledger.ts'
import { type InvoiceRecord, toInvoiceRecord } from './load-invoice.ts'

/** An invoice says itself how it is paid; a due notice is only for buyers of several sellers. */
export const needsDueNotice = (documents: readonly InvoiceRecord[]) =>
  new Set(documents.filter(({ kind }) => kind !== 'statement').map(({ sellerId }) => sellerId)).size > 1

/** Documents issued to a buyer on one day for one operation, this one included, without those with nothing to pay. */
export async function loadDocumentsIssuedTogether(
  db: Db,
  { companyId, buyerId, operationId, issuedOn }: InvoiceRecord,
) {
  if (!buyerId || !operationId) return []
  const rows = await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        eq(invoices.buyerId, buyerId),
        eq(invoices.operationId, operationId),
        eq(invoices.issuedOn, issuedOn),
        ne(invoices.kind, 'statement'),
      ),
    )
    .orderBy(asc(invoices.number))
  return rows.map(toInvoiceRecord)
}

/** By seller: the mandate its invoices are debited under, given to the seller or to whoever collects for it. */
async function loadMandateFinder(db: Db, companyId: number, buyerId: string) {
  const rows = await db
    .select()
    .from(mandates)
    .where(and(eq(mandates.companyId, companyId), eq(mandates.participantId, buyerId), eq(mandates.status, 'active')))
  const mandateByCreditor = new Map(rows.map((row) => [row.creditorId, row]))
  const creditors = await loadCreditorsOn(db, companyId, getToday())
  return (sellerId: string) => {
    const found = mandateByCreditor.get(creditors.get(sellerId)?.id ?? sellerId)
    return found ? { rum: found.rum, ibanEnd: found.ibanEnd } : null
  }
}

const sum = (figures: number[]) => figures.reduce((all, one) => all + one, 0)
const getSign = ({ kind }: { kind: string }) => (kind === 'creditNote' ? -1 : 1)

/** What several sellers ask of one buyer and how each is paid; open amounts are read as in every list. */
async function loadDueNotice(db: Db, documents: readonly InvoiceRecord[]): Promise<DueNoticeData> {
  const [first] = documents
  if (!first?.buyerId) throw new Error('a notice is of documents of a buyer')
  const { companyId, buyerId } = first
  const open = await loadOpenAmounts(db, companyId, [buyerId])
  const bySeller = [...Map.groupBy(documents, ({ sellerId }) => sellerId)]
  const findMandate = await loadMandateFinder(db, companyId, buyerId)
  const { buyer, operation, issuedOn } = first.snapshot
  const items = documents.map(({ id, kind, snapshot }) => ({
    seller: snapshot.seller.name,
    document: `${INVOICE_KIND_LABELS[snapshot.kind]} ${snapshot.number}`,
    from: snapshot.from,
    to: snapshot.to,
    gross: getSign({ kind }) * snapshot.totals.gross,
    open: getSign({ kind }) * (open.get(id) ?? 0),
  }))
  const creditors = bySeller.map(([sellerId, own]) => {
    const owed = own.filter((each) => each.kind !== 'creditNote' && (open.get(each.id) ?? 0) > 0)
    const seller = own.at(-1)?.snapshot.seller
    return {
      name: seller?.name ?? '',
      amount: sum(owed.map(({ id }) => open.get(id) ?? 0)),
      dueOn: owed.map(({ dueOn }) => dueOn).sort()[0] ?? null,
      numbers: owed.map(({ number }) => number),
      mandate: findMandate(sellerId),
      iban: seller?.iban ?? '',
      bic: seller?.bic ?? '',
    }
  })
  return { issuedOn, buyer, operation, items, creditors, brand: await loadBrand(db, companyId) }
}

/** Renders the due notice as it is now: it is not an invoice, has no number and is not stored. */
export async function renderDueNotice({ db, compute }: Pick<Deps, 'db' | 'compute'>, invoice: InvoiceRecord) {
  const documents = await loadDocumentsIssuedTogether(db, invoice)
  if (!needsDueNotice(documents))
    throw new AppError('conflict', {
      message: `Le document ${invoice.number} n’a pas d’avis d’échéance\u00a0: rien d’un autre vendeur n’a été émis avec lui, et il dit lui-même comment le régler.`,
    })
  return compute('invoices.notice', await loadDueNotice(db, documents), { companyId: invoice.companyId })
}

/** For a document's page: how many documents it was issued with, and their total. */
export async function loadDueNoticeSummary(db: Db, invoice: InvoiceRecord, open: ReadonlyMap<string, number>) {
  const documents = await loadDocumentsIssuedTogether(db, invoice)
  if (!needsDueNotice(documents)) return null
  const owed = documents.filter(({ kind }) => kind !== 'creditNote')
  return {
    documents: documents.length,
    sellers: new Set(documents.map(({ sellerId }) => sellerId)).size,
    gross: sum(documents.map((each) => getSign(each) * each.snapshot.totals.gross)),
    open: sum(owed.map(({ id }) => open.get(id) ?? 0)),
  }
}

export const buildDueNoticeFileName = ({ issuedOn }: Pick<InvoiceRecord, 'issuedOn'>) => `avis-echeance-${issuedOn}.pdf`
