import type { PlatformInvoice } from '@voisol/contract/subscription'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildInvoiceXml } from '../../../papers/invoice-xml.ts'
import { getToday } from '../../../today.ts'
import { getInvoiceState, type InvoiceRecord, loadOpenAmounts } from '../../money/invoices/invoices.ts'
import { loadSubscriptionDocuments } from './buyers.ts'

/** The documents issued to a company, latest first. */
export const listSubscriptionDocuments = async (db: Db, companyId: number): Promise<InvoiceRecord[]> =>
  (await loadSubscriptionDocuments(db, companyId)).reverse()

/** The open amount of each, read from the accounts of the installation operator. */
export async function computeSubscriptionOpenAmounts(
  db: Db,
  documents: readonly InvoiceRecord[],
): Promise<Map<string, number>> {
  const open = new Map<string, number>()
  for (const [sellerId, own] of Map.groupBy(documents, ({ companyId }) => companyId)) {
    const buyers = [...new Set(own.flatMap(({ buyerId }) => buyerId ?? []))]
    const left = await loadOpenAmounts(db, sellerId, buyers)
    for (const { id } of own) open.set(id, left.get(id) ?? 0)
  }
  return open
}

export async function listPlatformInvoices(db: Db, { companyId }: Actor): Promise<PlatformInvoice[]> {
  const documents = await listSubscriptionDocuments(db, companyId)
  const left = await computeSubscriptionOpenAmounts(db, documents)
  return documents.map(({ id, number, kind, issuedOn, dueOn, net, gross, snapshot }) => {
    const open = left.get(id) ?? 0
    const state = getInvoiceState({ kind, dueOn, open }, getToday())
    const hasXml = buildInvoiceXml(snapshot) !== null
    return {
      id,
      number,
      kind: snapshot.kind,
      label: snapshot.operation.name,
      issuedOn,
      dueOn,
      net,
      gross,
      open,
      state,
      hasXml,
    }
  })
}

/** Loads an invoice of the company itself; those of others are answered as not found. */
export async function loadPlatformInvoice(db: Db, { companyId }: Actor, id: string): Promise<InvoiceRecord> {
  const invoice = (await loadSubscriptionDocuments(db, companyId)).find((one) => one.id === id)
  if (!invoice) throw new AppError('not-found')
  return invoice
}
