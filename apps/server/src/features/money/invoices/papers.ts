import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { and, eq } from 'drizzle-orm'
import { keepFile, keyOf } from '../../../core/kept-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { files, invoiceFiles } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { invoiceXml } from '../../../papers/invoice-xml.ts'
import type { InvoiceRecord } from './find.ts'

export type PaperKind = 'pdf' | 'xml'
export const PAPER_TYPES: Record<PaperKind, string> = { pdf: 'application/pdf', xml: 'application/xml' }

/** A number may hold a slash or a plus, which a file name may not. */
export const paperName = ({ number }: Pick<InvoiceSnapshot, 'number'>, kind: PaperKind) =>
  `${number.replace(/[^A-Z0-9_-]/g, '-')}.${kind}`

/** The files of a document, made of its snapshot alone. */
export async function drawPapers({ compute }: Pick<Deps, 'compute'>, { companyId, snapshot }: InvoiceRecord) {
  const xml = invoiceXml(snapshot)
  const pdf = await compute('invoices.paper', { snapshot, xml }, { companyId })
  return { pdf, xml: xml === null ? null : new TextEncoder().encode(xml) }
}

const storedRow = async (db: Db, { companyId, id }: InvoiceRecord, kind: PaperKind) => {
  const [row] = await db
    .select({ file: files })
    .from(invoiceFiles)
    .innerJoin(files, and(eq(files.companyId, invoiceFiles.companyId), eq(files.id, invoiceFiles.fileId)))
    .where(and(eq(invoiceFiles.companyId, companyId), eq(invoiceFiles.invoiceId, id), eq(invoiceFiles.kind, kind)))
  return row?.file
}

/** Makes the files that are not there yet and keeps them; run again, it finds them. */
export async function keepPapers(deps: Deps, invoice: InvoiceRecord): Promise<void> {
  if (await storedRow(deps.db, invoice, 'pdf')) return
  const { pdf, xml } = await drawPapers(deps, invoice)
  await transaction(deps.db, async (tx) => {
    for (const [kind, content] of [
      ['xml', xml],
      ['pdf', pdf],
    ] as const) {
      if (!content || (await storedRow(tx, invoice, kind))) continue
      const about = { name: paperName(invoice.snapshot, kind), mediaType: PAPER_TYPES[kind], content }
      const { id: fileId } = await keepFile(tx, deps.files, invoice.companyId, about)
      const place = { companyId: invoice.companyId, invoiceId: invoice.id, kind, fileId }
      await tx.insert(invoiceFiles).values(place).onConflictDoNothing()
    }
  })
}

/** A file of a document, as it was kept; one that is not made yet, or was lost, comes out the same. */
export async function paperOf(deps: Deps, invoice: InvoiceRecord, kind: PaperKind): Promise<Uint8Array> {
  const row = await storedRow(deps.db, invoice, kind)
  const kept = row && (await deps.files.get(keyOf(row)))
  if (kept) return kept
  const drawn = (await drawPapers(deps, invoice))[kind]
  if (!drawn) throw noXml(invoice)
  return drawn
}

export function requireXml(invoice: InvoiceRecord) {
  if (invoiceXml(invoice.snapshot) === null) throw noXml(invoice)
}

function noXml({ snapshot: { kind, number, seller } }: InvoiceRecord) {
  const why =
    kind === 'statement' ? 'un relevé n’est pas une facture' : `${seller.name} n’a pas de SIREN, que Factur-X demande`
  return new AppError('conflict', { message: `Le document ${number} n’a pas de fichier XML\u00a0: ${why}.` })
}
