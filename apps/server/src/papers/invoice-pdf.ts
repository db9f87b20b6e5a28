import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { closePdf, openPdf, type PdfWriter } from '../pdf/document.ts'
import { drawEnergy } from './invoice-pdf-energy.ts'
import { drawInvoiceFoot, drawPageFeet } from './invoice-pdf-foot.ts'
import { drawInvoiceHead } from './invoice-pdf-head.ts'
import { drawDocumentLines, drawTotals } from './invoice-pdf-lines.ts'
import { formatPeriod } from './words.ts'

const FACTUR_X_NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
const FACTUR_X_FIELDS = {
  DocumentFileName: 'Name of the embedded XML invoice file',
  DocumentType: 'The type of the hybrid document',
  Version: 'The actual version of the Factur-X XML schema',
  ConformanceLevel: 'The conformance level of the embedded Factur-X data',
}
const toPropertyMarkup = ([name, description]: [string, string]) =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`

/** XMP metadata of the attached file, with the extension schema that PDF/A requires for it. */
const FACTUR_X_METADATA = `
<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X_NAMESPACE}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${FACTUR_X_NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${Object.entries(FACTUR_X_FIELDS).map(toPropertyMarkup).join('')}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`

/** Methods of pdfkit missing in its types. */
type Archive = {
  file(bytes: Uint8Array, options: Record<string, string | Date>): void
  appendXML(markup: string): void
}

function attachXml({ doc }: PdfWriter, xml: string, at: Date) {
  const archive = doc as unknown as Archive // see above
  archive.file(new TextEncoder().encode(xml), {
    name: 'factur-x.xml',
    relationship: 'Alternative',
    type: 'text/xml',
    description: 'Factur-X',
    creationDate: at,
    modifiedDate: at,
  })
  archive.appendXML(FACTUR_X_METADATA)
}

/** The document as a PDF, from its snapshot alone: generated again, it is identical to the byte. */
export async function buildInvoicePdf(snapshot: InvoiceSnapshot, xml: string | null): Promise<Uint8Array> {
  const issued = new Date(`${snapshot.issuedOn}T12:00:00Z`)
  // Names of people are not in the title, because pdfkit writes it into XML unescaped.
  const title = `${INVOICE_KIND_LABELS[snapshot.kind]} ${snapshot.number}`
  const sheet = openPdf({ title, subject: formatPeriod(snapshot), createdAt: issued, archival: true })
  drawInvoiceHead(sheet, snapshot)
  drawEnergy(sheet, snapshot)
  drawDocumentLines(sheet, snapshot)
  drawTotals(sheet, snapshot)
  drawInvoiceFoot(sheet, snapshot)
  drawPageFeet(sheet, snapshot)
  if (xml) attachXml(sheet, xml, issued)
  return closePdf(sheet, { title, bare: () => true })
}
