import type { InvoiceSnapshot, SnapshotLine } from '@voisol/contract/invoice-snapshot'
import { ornament, room, type Sheet, tagged } from '../pdf/document.ts'
import { drawWord } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { LOOKS, type Look, type Words } from '../pdf/runs.ts'
import { table } from '../pdf/table.ts'
import { centsPerKwh, euros, frenchDecimal, kwh, percent } from './decimals.ts'
import { spanWords } from './words.ts'

const ROLES = { cancel: 'Annulation\u00a0: ', replace: 'Remplacement\u00a0: ' } as const
const EVERY = { month: 'par mois', quarter: 'par trimestre', year: 'par an' } as const

function quantityOf(line: SnapshotLine): string {
  if (line.kind === 'energy' || line.kind === 'accise') return kwh(line.wh)
  if (line.kind === 'service') return `${line.quantity.replace('.', ',')} ${line.unit === 'KWH' ? 'kWh' : ''}`.trim()
  return line.kva === null ? '1' : `${frenchDecimal(line.kva, 0)}\u00a0kVA`
}

function priceOf(line: SnapshotLine): string {
  if (line.kind === 'energy') return centsPerKwh(line.price)
  if (line.kind === 'accise') return `${frenchDecimal(line.centsPerMwh, 2)}\u00a0€/MWh`
  if (line.kind === 'service') return `${line.price.replace('.', ',')}\u00a0€`
  return `${euros(line.amount)} ${EVERY[line.every]}`
}

function describe(line: SnapshotLine, meters: number): Words {
  const under = [spanWords(line), meters > 1 && line.prm ? `PRM ${line.prm}` : ''].filter(Boolean).join(' · ')
  return [
    { ...LOOKS.cell, text: `${line.role ? ROLES[line.role] : ''}${line.label}\n` },
    { ...LOOKS.cell, size: 7.5, colour: COLOURS.faint, text: under },
  ]
}

export function drawDocumentLines(sheet: Sheet, { lines, allowances }: InvoiceSnapshot) {
  const meters = new Set(lines.map(({ prm }) => prm)).size
  table(
    sheet,
    [
      { head: 'Désignation', part: 46 },
      { head: 'Quantité', part: 18, align: 'end' },
      { head: 'Prix HT', part: 20, align: 'end' },
      { head: 'Montant HT', part: 16, align: 'end' },
    ],
    [
      ...lines.map((line): Words[] => [describe(line, meters), quantityOf(line), priceOf(line), euros(line.net)]),
      ...allowances.map((each): Words[] => [
        each.label || 'Remise',
        each.percentBp == null ? '' : percent(each.percentBp),
        '',
        euros(0 - each.amount),
      ]),
    ],
    { pad: 3.5, after: 6 },
  )
}

const CATEGORY = { E: 'Sans TVA', O: 'Hors champ de la TVA,' } as const

function totalRows({ vat, totals, kind }: InvoiceSnapshot): [string, string, Look][] {
  const groups = vat.map(({ category, rate, base, tax }): [string, string, Look] => [
    `${category === 'S' ? `TVA ${percent(rate)}` : CATEGORY[category]} sur ${euros(base)}`,
    euros(tax),
    LOOKS.cell,
  ])
  const last = kind === 'creditNote' ? 'Total de l’avoir' : kind === 'statement' ? 'Rien à payer' : 'Total à payer TTC'
  return [
    ['Total HT', euros(totals.net), LOOKS.cell],
    ...groups,
    [last, euros(totals.gross), { ...LOOKS.h2, tabular: true }],
  ]
}

/** Net, tax by rate, and what is to be paid, on the right. */
export function drawTotals(sheet: Sheet, snapshot: InvoiceSnapshot) {
  const rows = totalRows(snapshot)
  const width = sheet.width * 0.46
  const right = sheet.left + sheet.width
  room(sheet, rows.length * 15 + 24)
  for (const [at, [label, value, look]] of rows.entries()) {
    const last = at === rows.length - 1
    if (last) ornament(sheet, (doc) => doc.roundedRect(right - width, sheet.y + 2, width, 26, 5).fill(COLOURS.warmTint))
    const baseline = sheet.y + (last ? 20 : 11)
    const tone = { ...look, tabular: true }
    tagged(sheet, 'P', () => {
      drawWord(sheet.doc, label, last ? { ...LOOKS.h3 } : LOOKS.cell, right - width + 8, baseline)
      drawWord(sheet.doc, value, tone, right - 8, baseline, 'end')
    })
    sheet.y += last ? 34 : 15
  }
}
