import { drawLines, measureHeight } from './blocks.ts'
import { drawArtifact, drawTagged, ensureSpace, type PdfWriter } from './document.ts'
import { drawText } from './frame.ts'
import { COLOURS } from './look.ts'
import { TEXT_STYLES, toTextRuns } from './runs.ts'
import { breakLines, measureText } from './text.ts'

export type FigureTile = { label: string; figure: string; unit: string; note?: string; colour?: string }
const GAP = 10
const PAD = 12

function computeFigureSize(sheet: PdfWriter, { figure, unit }: FigureTile, width: number) {
  const needed = measureText(sheet.doc, TEXT_STYLES.figure, figure) + measureText(sheet.doc, TEXT_STYLES.unit, unit) + 5
  return Math.min(TEXT_STYLES.figure.size, (TEXT_STYLES.figure.size * width) / needed)
}

/** Figures in cards, `columns` to a row. */
export function drawTiles(sheet: PdfWriter, items: FigureTile[], columns = 3, after = 14) {
  const width = (sheet.width - GAP * (columns - 1)) / columns
  const inner = width - PAD * 2
  const measured = items.map((tile) => ({
    tile,
    label: breakLines(sheet.doc, toTextRuns(tile.label, TEXT_STYLES.label), inner),
    note: tile.note ? breakLines(sheet.doc, toTextRuns(tile.note, TEXT_STYLES.small), inner) : [],
  }))
  for (let from = 0; from < items.length; from += columns) {
    const row = measured.slice(from, from + columns)
    const labels = Math.max(...row.map(({ label }) => measureHeight(label, TEXT_STYLES.label)))
    const notes = Math.max(...row.map(({ note }) => measureHeight(note, TEXT_STYLES.small)))
    const height = PAD * 2 + labels + 26 + (notes ? notes + 4 : 0)
    ensureSpace(sheet, height)
    for (const [at, { tile, label, note }] of row.entries()) {
      const x = sheet.left + at * (width + GAP)
      const { y } = sheet
      drawArtifact(sheet, (doc) => {
        doc.roundedRect(x, y, width, height, 6).lineWidth(0.7).fillAndStroke(COLOURS.tint, COLOURS.hairline)
        doc.roundedRect(x, y + PAD, 2.5, height - PAD * 2, 1).fill(tile.colour ?? COLOURS.sun)
      })
      const size = computeFigureSize(sheet, tile, inner)
      drawTagged(sheet, 'P', () => {
        drawLines(sheet.doc, label, TEXT_STYLES.label, { x: x + PAD, y: y + PAD, width: inner })
        const look = { ...TEXT_STYLES.figure, size }
        const baseline = y + PAD + labels + 21
        drawText(sheet.doc, tile.figure, look, x + PAD, baseline)
        drawText(
          sheet.doc,
          tile.unit,
          TEXT_STYLES.unit,
          x + PAD + measureText(sheet.doc, look, tile.figure) + 4,
          baseline,
        )
        drawLines(sheet.doc, note, TEXT_STYLES.small, { x: x + PAD, y: y + PAD + labels + 30, width: inner })
      })
    }
    sheet.y += height + GAP
  }
  sheet.y += after - GAP
}
