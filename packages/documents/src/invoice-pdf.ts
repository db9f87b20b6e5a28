import { MIN_INK_CONTRAST, toTextTone, toVisibleTone } from '@voisol/contract/colour'
import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { toPayfipReference } from '@voisol/contract/party-numbers'
import { drawEnergy } from './invoice-pdf-energy.ts'
import {
  formatAxisDay,
  formatBasisPoints,
  formatEuros,
  formatFrenchDecimal,
  formatIban,
  formatLongDay,
  formatPeriod,
  formatPricePerKwh,
  formatWhAsKwh,
} from './number-and-date-formats.ts'
import { drawLines, drawParagraph, measureHeight } from './pdf/blocks.ts'
import { closePdf, drawArtifact, drawTagged, ensureSpace, openPdf, type PdfWriter } from './pdf/document.ts'
import { drawText } from './pdf/frame.ts'
import { COLOURS, CONTENT_WIDTH, PAGE_LAYOUT } from './pdf/style.ts'
import { drawTable } from './pdf/table.ts'
import {
  breakLines,
  measureText,
  parseBoldMarkup,
  type RichText,
  TEXT_STYLES,
  type TextStyle,
  toTextRuns,
} from './pdf/text.ts'

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

type ColumnItem = { words: RichText; look: TextStyle; after?: number }
type ColumnPlace = { x: number; y: number; width: number }

/** Lines below each other in a column; returns its end. */
function drawColumn(sheet: PdfWriter, pieces: ColumnItem[], { x, y, width }: ColumnPlace): number {
  let at = y
  for (const { words, look, after = 0 } of pieces) {
    const lines = breakLines(sheet.doc, toTextRuns(words, look), width)
    const top = at
    drawTagged(sheet, 'P', () => drawLines(sheet.doc, lines, look, { x, y: top, width }))
    at += measureHeight(lines, look) + after
  }
  return at
}

const LEFT_COLUMN_SHARE = 0.52
const removeBlankLines = (lines: string[]) => lines.filter((line) => line.trim() !== '')

function formatAddressLines({
  address,
  postalCode,
  city,
  country,
}: InvoiceSnapshot['seller'] | InvoiceSnapshot['buyer']) {
  return removeBlankLines([...address.split('\n'), `${postalCode} ${city}`.trim(), country === 'FR' ? '' : country])
}

const groupDigits = (digits: string) => digits.replace(/(\d{3})(?=\d)/g, '$1\u00a0')

function sellerLines({ seller }: InvoiceSnapshot): string[] {
  return removeBlankLines([
    seller.legalForm,
    ...formatAddressLines(seller),
    seller.siren && `SIREN ${groupDigits(seller.siren)}`,
    seller.vatMode === 'standard' && seller.vatNumber ? `TVA ${seller.vatNumber}` : '',
    [seller.email, seller.phone].filter(Boolean).join(' · '),
  ])
}

function buyerLines({ buyer }: InvoiceSnapshot): string[] {
  return removeBlankLines([
    ...formatAddressLines(buyer),
    buyer.siret ? `SIRET ${buyer.siret}` : buyer.siren && `SIREN ${groupDigits(buyer.siren)}`,
    buyer.serviceCode && `Service ${buyer.serviceCode}`,
    buyer.engagement && `Engagement ${buyer.engagement}`,
  ])
}

/** The largest size at which the number fits on one line of its column. */
function getNumberStyle({ doc }: PdfWriter, number: string, width: number): TextStyle {
  const { size } = TEXT_STYLES.title
  return {
    ...TEXT_STYLES.title,
    size: Math.min(size, Math.floor((10 * size * width) / measureText(doc, TEXT_STYLES.title, number)) / 10),
  }
}

function buildTitleItems(sheet: PdfWriter, snapshot: InvoiceSnapshot, width: number): ColumnItem[] {
  const { kind, number, issuedOn, dueOn, typeCode, corrects, debit, look } = snapshot
  const colour = look ? toTextTone(look.colour, MIN_INK_CONTRAST) : COLOURS.warmInk
  const due = debit
    ? `Prélevée le ${formatLongDay(debit.collectionOn)}`
    : `À payer au plus tard le ${formatLongDay(dueOn)}`
  const issued = kind === 'creditNote' || kind === 'statement' ? 'Émis' : 'Émise'
  return [
    { words: INVOICE_KIND_LABELS[kind], look: { ...TEXT_STYLES.label, face: '600', colour, size: 9 }, after: 1 },
    { words: number, look: getNumberStyle(sheet, number, width), after: 3 },
    { words: `${issued} le ${formatLongDay(issuedOn)}`, look: TEXT_STYLES.quiet },
    ...(typeCode === 380 ? [{ words: due, look: TEXT_STYLES.quiet }] : []),
    ...(corrects
      ? [
          {
            words: `Corrige ${corrects.number} du ${formatLongDay(corrects.issuedOn)}\u00a0: ${corrects.reason}`,
            look: TEXT_STYLES.quiet,
          },
        ]
      : []),
  ]
}

/** Seller on the left, buyer on the right in the window of an envelope; then the kind of document. */
function drawInvoiceHead(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  const { seller, buyer, operation, look } = snapshot
  const left = { x: sheet.left, width: sheet.width * LEFT_COLUMN_SHARE - 20 }
  const right = { x: sheet.left + sheet.width * LEFT_COLUMN_SHARE, width: sheet.width * (1 - LEFT_COLUMN_SHARE) }
  drawArtifact(sheet, (doc) => doc.rect(0, 0, doc.page.width, 5).fill(look ? toVisibleTone(look.colour) : COLOURS.sun))
  const sold = drawColumn(
    sheet,
    [
      { words: seller.name, look: { ...TEXT_STYLES.h2, size: 15 }, after: 3 },
      { words: sellerLines(snapshot).join('\n'), look: TEXT_STYLES.label },
    ],
    { ...left, y: 40 },
  )
  const bought = drawColumn(
    sheet,
    [
      { words: 'Adressé à', look: TEXT_STYLES.small, after: 1 },
      { words: [buyer.name, ...buyer.jointHolders].join('\n'), look: TEXT_STYLES.h3 },
      { words: buyerLines(snapshot).join('\n'), look: TEXT_STYLES.body },
    ],
    { ...right, y: 108 },
  )
  sheet.y = Math.max(sold, bought, 170) + 14
  const titled = drawColumn(sheet, buildTitleItems(sheet, snapshot, left.width), { ...left, y: sheet.y })
  const told = drawColumn(
    sheet,
    [
      { words: operation.id ? 'Opération d’autoconsommation collective' : 'Objet', look: TEXT_STYLES.small },
      { words: [operation.name, operation.accNumber].filter(Boolean).join(' · '), look: TEXT_STYLES.body },
      ...(operation.id ? [{ words: `Organisateur\u00a0: ${operation.pmoName || '–'}`, look: TEXT_STYLES.quiet }] : []),
      { words: `Période\u00a0: ${formatPeriod(snapshot)}`, look: TEXT_STYLES.quiet },
    ],
    { ...right, y: sheet.y },
  )
  sheet.y = Math.max(titled, told) + 14
}

const ROLE_LABELS = { cancel: 'Annulation\u00a0: ', replace: 'Remplacement\u00a0: ' } as const
const PERIODICITY_LABELS = { month: 'par mois', quarter: 'par trimestre', year: 'par an' } as const

function formatQuantity(line: SnapshotLine): string {
  if (line.kind === 'energy' || line.kind === 'accise') return formatWhAsKwh(line.wh)
  if (line.kind === 'service') return `${line.quantity.replace('.', ',')} ${line.unit === 'KWH' ? 'kWh' : ''}`.trim()
  return line.kva === null ? '1' : `${formatFrenchDecimal(line.kva, 0)}\u00a0kVA`
}

function formatPrice(line: SnapshotLine): string {
  if (line.kind === 'energy') return formatPricePerKwh(line.price)
  if (line.kind === 'accise') return `${formatFrenchDecimal(line.centsPerMwh, 2)}\u00a0€/MWh`
  if (line.kind === 'service') return `${line.price.replace('.', ',')}\u00a0€`
  return `${formatEuros(line.amount)} ${PERIODICITY_LABELS[line.every]}`
}

function describeLine(line: SnapshotLine, meters: number): RichText {
  const under = [formatPeriod(line), meters > 1 && line.prm ? `PRM ${line.prm}` : ''].filter(Boolean).join(' · ')
  return [
    { ...TEXT_STYLES.cell, text: `${line.role ? ROLE_LABELS[line.role] : ''}${line.label}\n` },
    { ...TEXT_STYLES.cell, size: 7.5, colour: COLOURS.faint, text: under },
  ]
}

function drawDocumentLines(sheet: PdfWriter, { lines, allowances }: InvoiceSnapshot) {
  const meters = new Set(lines.map(({ prm }) => prm)).size
  drawTable(
    sheet,
    [
      { head: 'Désignation', part: 46 },
      { head: 'Quantité', part: 18, align: 'end' },
      { head: 'Prix HT', part: 20, align: 'end' },
      { head: 'Montant HT', part: 16, align: 'end' },
    ],
    [
      ...lines.map((line): RichText[] => [
        describeLine(line, meters),
        formatQuantity(line),
        formatPrice(line),
        formatEuros(line.net),
      ]),
      ...allowances.map((each): RichText[] => [
        each.label || 'Remise',
        each.percentBp == null ? '' : formatBasisPoints(each.percentBp),
        '',
        formatEuros(0 - each.amount),
      ]),
    ],
    { pad: 3.5, after: 6 },
  )
}

const CATEGORY_LABELS = { E: 'Sans TVA', O: 'Hors champ de la TVA,' } as const

function buildTotalRows({ vat, totals, kind }: InvoiceSnapshot): [string, string, TextStyle][] {
  const groups = vat.map(({ category, rate, base, tax }): [string, string, TextStyle] => [
    `${category === 'S' ? `TVA ${formatBasisPoints(rate)}` : CATEGORY_LABELS[category]} sur ${formatEuros(base)}`,
    formatEuros(tax),
    TEXT_STYLES.cell,
  ])
  const last = kind === 'creditNote' ? 'Total de l’avoir' : kind === 'statement' ? 'Rien à payer' : 'Total à payer TTC'
  return [
    ['Total HT', formatEuros(totals.net), TEXT_STYLES.cell],
    ...groups,
    [last, formatEuros(totals.gross), { ...TEXT_STYLES.h2, tabular: true }],
  ]
}

/** Net, tax by rate, and amount due, on the right. */
function drawTotals(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  const rows = buildTotalRows(snapshot)
  const width = sheet.width * 0.46
  const right = sheet.left + sheet.width
  ensureSpace(sheet, rows.length * 15 + 24)
  for (const [at, [label, value, look]] of rows.entries()) {
    const last = at === rows.length - 1
    if (last)
      drawArtifact(sheet, (doc) => doc.roundedRect(right - width, sheet.y + 2, width, 26, 5).fill(COLOURS.warmTint))
    const baseline = sheet.y + (last ? 20 : 11)
    const tone = { ...look, tabular: true }
    drawTagged(sheet, 'P', () => {
      drawText(sheet.doc, label, last ? { ...TEXT_STYLES.h3 } : TEXT_STYLES.cell, right - width + 8, baseline)
      drawText(sheet.doc, value, tone, right - 8, baseline, 'end')
    })
    sheet.y += last ? 34 : 15
  }
}

/** Mentions are settings typed by people: a missing full stop is added, so that sentences do not run together. */
const endSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** How to pay, or that nothing is due. */
function formatPayment({ kind, seller, dueOn, number, totals, debit }: InvoiceSnapshot): string {
  if (kind === 'creditNote')
    return 'Cet avoir vient en déduction de vos factures\u00a0; ce qui reste vous est remboursé.'
  if (kind === 'statement') return 'Ce relevé vous informe de l’énergie partagée. **Il n’y a rien à payer.**'
  if (debit) {
    const whom = debit.creditor === seller.name ? seller.name : `${debit.creditor}, pour ${seller.name}`
    return `**${formatEuros(totals.gross)}** prélevés le **${formatLongDay(debit.collectionOn)}** sur votre compte finissant par ${debit.ibanEnd}, par ${whom}\u00a0: mandat **${debit.rum}**, ICS ${debit.ics}. **Vous n’avez rien à faire**\u00a0; un autre jour vous serait annoncé avant.`
  }
  const before = `**${formatEuros(totals.gross)}** à payer au plus tard le **${formatLongDay(dueOn)}**`
  const online = seller.payfip
    ? ` Ou en ligne sur **payfip.gouv.fr**\u00a0: identifiant **${seller.payfip}**, référence **${toPayfipReference(number)}**.`
    : ''
  if (!seller.iban)
    return `${before}, selon le mode de paiement convenu, en rappelant la référence **${number}**.${online}`
  const bank = `IBAN **${formatIban(seller.iban)}**${seller.bic ? `, BIC ${seller.bic}` : ''}`
  return `${before}, par virement à ${seller.name}\u00a0: ${bank}, en rappelant la référence **${number}**.${online}`
}

function formatSources({ sources }: InvoiceSnapshot): string {
  const keys = sources.keys.map(({ number, from }) => `clé de répartition n° ${number} du ${formatAxisDay(from)}`)
  const tariffs = sources.tariffs.map(({ number, from }) => `tarif n° ${number} du ${formatAxisDay(from)}`)
  const told = [...keys, ...tariffs].join(', ')
  return told ? `Établi d’après\u00a0: ${told}.` : ''
}

function drawInvoiceFoot(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  drawParagraph(sheet, parseBoldMarkup(formatPayment(snapshot), TEXT_STYLES.body), { after: 6 })
  const told = [
    ...snapshot.mentions.map(({ text }) => endSentence(text)),
    formatSources(snapshot),
    snapshot.points.length
      ? `Points de livraison\u00a0: ${snapshot.points.map(({ prm, label }) => (label ? `${label} (PRM ${prm})` : `PRM ${prm}`)).join(', ')}.`
      : '',
  ].filter(Boolean)
  drawParagraph(sheet, told.join(' '), { look: TEXT_STYLES.small, after: 0 })
}

/** The footer of every page: the document, and the page number. */
function drawPageFeet(sheet: PdfWriter, { seller, number }: InvoiceSnapshot) {
  const { doc } = sheet
  const pages = doc.bufferedPageRange().count
  const y = PAGE_LAYOUT.height - 38
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page)
    doc.markContent('Artifact', { type: 'Pagination' })
    const siren = seller.siren ? ` · SIREN ${seller.siren}` : ''
    drawText(doc, `${seller.name}${siren}`, TEXT_STYLES.small, PAGE_LAYOUT.left, y)
    const right = `${number} · page ${page + 1} / ${pages}`
    drawText(doc, right, { ...TEXT_STYLES.small, tabular: true }, PAGE_LAYOUT.left + CONTENT_WIDTH, y, 'end')
    doc.endMarkedContent()
  }
}
