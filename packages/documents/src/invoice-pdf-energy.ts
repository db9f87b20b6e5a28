import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { ENERGY_SOURCE_LABELS } from '@voisol/contract/money'
import { formatFrenchDecimal, formatWhAsKwh } from './number-and-date-formats.ts'
import { drawChart } from './pdf/chart.ts'
import { drawArtifact, drawTagged, type PdfWriter } from './pdf/document.ts'
import { drawText } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { TEXT_STYLES } from './pdf/text.ts'

type Points = InvoiceSnapshot['points']

/** The local part of all consumption; unknown if the total of one meter is. */
export function computeLocalCoverage(points: Points): { local: number; total: number | null; bp: number | null } {
  const local = points.reduce((sum, { localWh }) => sum + localWh, 0)
  const known = points.every(({ totalWh }) => totalWh !== null)
  const total = known ? points.reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0) : null
  // A displayed share, which is not billed.
  return { local, total, bp: total ? Math.round((local / total) * 1000) : null }
}

/** Every day of the period, all meters together, in kWh for the chart. */
function sumByDay(points: Points) {
  const days = new Map<string, { local: number; total: number | null }>()
  for (const point of points)
    for (const { day, localWh, totalWh } of point.days) {
      const known = days.get(day) ?? { local: 0, total: 0 }
      const total = known.total === null || totalWh === null ? null : known.total + totalWh
      days.set(day, { local: known.local + localWh, total })
    }
  return [...days].sort(([a], [b]) => a.localeCompare(b))
}

function drawBar(sheet: PdfWriter, share: number) {
  const { left: x, y, width } = sheet
  drawArtifact(sheet, (doc) => {
    doc.roundedRect(x, y, width, 9, 4.5).fill(COLOURS.hairline)
    if (share > 0) doc.roundedRect(x, y, Math.max(9, width * Math.min(1, share)), 9, 4.5).fill(COLOURS.sun)
  })
  sheet.y += 15
}

function drawEnergyFigures(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  const { local, total, bp } = computeLocalCoverage(snapshot.points)
  const { left, width, doc } = sheet
  const head =
    bp === null
      ? `${formatWhAsKwh(local)} d’énergie locale`
      : `${formatFrenchDecimal(bp, 1)}\u00a0% de votre électricité a été locale`
  drawTagged(sheet, 'P', () => drawText(doc, head, TEXT_STYLES.h2, left, sheet.y + 12))
  sheet.y += 20
  if (bp !== null) drawBar(sheet, bp / 1000)
  const complement = total === null ? null : Math.max(0, total - local)
  const parts = [
    `Locale\u00a0: ${formatWhAsKwh(local)}`,
    ...(complement === null ? [] : [`Complément, facturé par votre fournisseur\u00a0: ${formatWhAsKwh(complement)}`]),
    ...(total === null ? [] : [`Total\u00a0: ${formatWhAsKwh(total)}`]),
  ]
  drawTagged(sheet, 'P', () => drawText(doc, parts.join('   ·   '), TEXT_STYLES.label, left, sheet.y + 6))
  const sources = [...new Set(snapshot.points.map(({ source }) => ENERGY_SOURCE_LABELS[source]))].join(', ')
  drawTagged(sheet, 'P', () =>
    drawText(doc, `Source\u00a0: ${sources}`, TEXT_STYLES.small, left + width, sheet.y - 20, 'end'),
  )
  sheet.y += 14
}

/** The month at a glance: the local share, and each of its days. */
export function drawEnergy(sheet: PdfWriter, snapshot: InvoiceSnapshot) {
  if (snapshot.points.length === 0) return
  drawEnergyFigures(sheet, snapshot)
  const days = sumByDay(snapshot.points)
  if (days.length < 2) return
  const inKwh = (wh: number) => wh / 1000
  drawChart(
    sheet,
    {
      series: [{ label: 'Énergie locale', values: days.map(([, { local }]) => inKwh(local)), colour: COLOURS.sun }],
      names: days.map(([day], at) => (at % 5 === 0 ? `${Number(day.slice(8))}` : '')),
      unit: 'kWh',
      alt: `Énergie locale par jour, de ${days[0]?.[0]} à ${days.at(-1)?.[0]}`,
      height: 84,
    },
    8,
  )
}
