import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { KIND_WORDS } from '@voisol/contract/money'
import { closeSheet, openSheet, type Sheet } from '../pdf/document.ts'
import { drawEnergy } from './invoice-pdf-energy.ts'
import { drawFoot, drawPageFeet } from './invoice-pdf-foot.ts'
import { drawHead } from './invoice-pdf-head.ts'
import { drawDocumentLines, drawTotals } from './invoice-pdf-lines.ts'
import { spanWords } from './words.ts'

const FX = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
const FIELDS = {
  DocumentFileName: 'Name of the embedded XML invoice file',
  DocumentType: 'The type of the hybrid document',
  Version: 'The actual version of the Factur-X XML schema',
  ConformanceLevel: 'The conformance level of the embedded Factur-X data',
}
const property = ([name, description]: [string, string]) =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`

/** What the file inside is, and what the words that say so mean: a reader of PDF/A knows neither. */
const DESCRIPTION = `
<rdf:Description rdf:about="" xmlns:fx="${FX}"><fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName><fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${FX}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${Object.entries(FIELDS).map(property).join('')}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`

/** What pdfkit can do and its types do not name. */
type Archive = {
  file(bytes: Uint8Array, options: Record<string, string | Date>): void
  appendXML(markup: string): void
}

function attach({ doc }: Sheet, xml: string, at: Date) {
  const archive = doc as unknown as Archive // see above
  archive.file(new TextEncoder().encode(xml), {
    name: 'factur-x.xml',
    relationship: 'Alternative',
    type: 'text/xml',
    description: 'Factur-X',
    creationDate: at,
    modifiedDate: at,
  })
  archive.appendXML(DESCRIPTION)
}

/** The document on paper, from its snapshot alone: made again, it is the same to the byte. */
export async function invoicePdf(snapshot: InvoiceSnapshot, xml: string | null): Promise<Uint8Array> {
  const issued = new Date(`${snapshot.issuedOn}T12:00:00Z`)
  // Names of people stay out of the title: pdfkit writes it into XML as it is.
  const title = `${KIND_WORDS[snapshot.kind]} ${snapshot.number}`
  const sheet = openSheet({ title, subject: spanWords(snapshot), createdAt: issued, archival: true })
  drawHead(sheet, snapshot)
  drawEnergy(sheet, snapshot)
  drawDocumentLines(sheet, snapshot)
  drawTotals(sheet, snapshot)
  drawFoot(sheet, snapshot)
  drawPageFeet(sheet, snapshot)
  if (xml) attach(sheet, xml, issued)
  return closeSheet(sheet, { title, bare: () => true })
}
