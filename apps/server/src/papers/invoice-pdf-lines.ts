import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { drawArtifact, drawTagged, ensureSpace, type PdfWriter } from '../pdf/document.ts'
import { drawText } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { type RichText, TEXT_STYLES, type TextStyle } from '../pdf/runs.ts'
import { drawTable } from '../pdf/table.ts'
import { formatBasisPoints, formatEuros, formatFrenchDecimal, formatPricePerKwh, formatWhAsKwh } from './decimals.ts'
import { formatPeriod } from './words.ts'

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

export function drawDocumentLines(sheet: PdfWriter, { lines, allowances }: InvoiceSnapshot) {
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
export function drawTotals(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
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
