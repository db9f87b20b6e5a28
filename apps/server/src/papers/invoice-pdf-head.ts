import { MIN_INK_CONTRAST, toTextTone, toVisibleTone } from '@voisol/contract/colour'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { drawLines, measureHeight } from '../pdf/blocks.ts'
import { drawArtifact, drawTagged, type PdfWriter } from '../pdf/document.ts'
import { COLOURS } from '../pdf/look.ts'
import { type RichText, TEXT_STYLES, type TextStyle, toTextRuns } from '../pdf/runs.ts'
import { breakLines, measureText } from '../pdf/text.ts'
import { formatLongDay, formatPeriod } from './words.ts'

type ColumnItem = { words: RichText; look: TextStyle; after?: number }
type ColumnPlace = { x: number; y: number; width: number }

/** Lines below each other in a column; returns its end. */
export function drawColumn(sheet: PdfWriter, pieces: ColumnItem[], { x, y, width }: ColumnPlace): number {
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

export function formatAddressLines({
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
export function drawInvoiceHead(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
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
