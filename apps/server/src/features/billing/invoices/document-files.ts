import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { buildInvoiceXml } from '@voisol/documents/invoice-xml'
import { and, eq } from 'drizzle-orm'
import { getFileKey, storeFile } from '../../../core/stored-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { files, invoiceFiles } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { InvoiceRecord } from './load-invoice.ts'

export type DocumentFileKind = 'pdf' | 'xml'
export const DOCUMENT_MEDIA_TYPES: Record<DocumentFileKind, string> = { pdf: 'application/pdf', xml: 'application/xml' }

/** A number may hold a slash or a plus, which a file name may not. */
export const buildDocumentFileName = ({ number }: Pick<InvoiceSnapshot, 'number'>, kind: DocumentFileKind) =>
  `${number.replace(/[^A-Z0-9_-]/g, '-')}.${kind}`

/** The files of a document, built from its snapshot alone. */
async function renderDocumentFiles({ compute }: Pick<Deps, 'compute'>, { companyId, snapshot }: InvoiceRecord) {
  const xml = buildInvoiceXml(snapshot)
  const pdf = await compute('invoices.paper', { snapshot, xml }, { companyId })
  return { pdf, xml: xml === null ? null : new TextEncoder().encode(xml) }
}

const findStoredFile = async (db: Db, { companyId, id }: InvoiceRecord, kind: DocumentFileKind) => {
  const [row] = await db
    .select({ file: files })
    .from(invoiceFiles)
    .innerJoin(files, and(eq(files.companyId, invoiceFiles.companyId), eq(files.id, invoiceFiles.fileId)))
    .where(and(eq(invoiceFiles.companyId, companyId), eq(invoiceFiles.invoiceId, id), eq(invoiceFiles.kind, kind)))
  return row?.file
}

/** Creates and stores the missing files; running it again changes nothing. */
export async function storeDocumentFiles(deps: Deps, invoice: InvoiceRecord): Promise<void> {
  if (await findStoredFile(deps.db, invoice, 'pdf')) return
  const { pdf, xml } = await renderDocumentFiles(deps, invoice)
  await transaction(deps.db, async (tx) => {
    for (const [kind, content] of [
      ['xml', xml],
      ['pdf', pdf],
    ] as const) {
      if (!content || (await findStoredFile(tx, invoice, kind))) continue
      const about = {
        name: buildDocumentFileName(invoice.snapshot, kind),
        mediaType: DOCUMENT_MEDIA_TYPES[kind],
        content,
      }
      const { id: fileId } = await storeFile(tx, deps.files, invoice.companyId, about)
      const place = { companyId: invoice.companyId, invoiceId: invoice.id, kind, fileId }
      await tx.insert(invoiceFiles).values(place).onConflictDoNothing()
    }
  })
}

/** The stored file of a document; a missing or lost one is rendered again and comes out the same. */
export async function loadDocumentFile(
  deps: Deps,
  invoice: InvoiceRecord,
  kind: DocumentFileKind,
): Promise<Uint8Array> {
  const row = await findStoredFile(deps.db, invoice, kind)
  const storedContent = row && (await deps.files.get(getFileKey(row)))
  if (storedContent) return storedContent
  const rendered = (await renderDocumentFiles(deps, invoice))[kind]
  if (!rendered) throw buildNoXmlError(invoice)
  return rendered
}

export function requireXml(invoice: InvoiceRecord) {
  if (buildInvoiceXml(invoice.snapshot) === null) throw buildNoXmlError(invoice)
}

function buildNoXmlError({ snapshot: { kind, number, seller } }: InvoiceRecord) {
  const why =
    kind === 'statement' ? 'un relevé n’est pas une facture' : `${seller.name} n’a pas de SIREN, que Factur-X demande`
  return new AppError('conflict', { message: `Le document ${number} n’a pas de fichier XML\u00a0: ${why}.` })
}
