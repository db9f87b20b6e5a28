import { drawTagged, ensureSpace, type PdfWriter } from './document.ts'
import { formatPercentValue } from './figures.ts'
import { drawText } from './frame.ts'
import { COLOURS } from './look.ts'
import { TEXT_STYLES } from './runs.ts'
import { measureText } from './text.ts'

export type PdfShare = { name: string; percent: number }

const ROW_HEIGHT = 17
const NAMES_WIDTH_SHARE = 0.42

/** Cut at the end of the column: the full name is in the table. */
function shortenText(doc: PDFKit.PDFDocument, name: string, width: number): string {
  if (measureText(doc, TEXT_STYLES.label, name) <= width) return name
  let text = name
  while (text.length > 1 && measureText(doc, TEXT_STYLES.label, `${text}…`) > width) text = text.slice(0, -1)
  return `${text.trimEnd()}…`
}

/** One horizontal bar each, scaled to the largest. */
export function drawShareBars(
  sheet: PdfWriter,
  rows: PdfShare[],
  alt: string,
  colour: string = COLOURS.sun,
  after = 12,
) {
  ensureSpace(sheet, ROW_HEIGHT * rows.length)
  const { doc, left, width, y } = sheet
  const start = left + width * NAMES_WIDTH_SHARE
  const longest = width * (1 - NAMES_WIDTH_SHARE) - 44
  const most = Math.max(...rows.map((row) => row.percent), 1e-9)
  const draw = () => {
    for (const [at, row] of rows.entries()) {
      const middle = y + ROW_HEIGHT * at + ROW_HEIGHT / 2
      drawText(
        doc,
        shortenText(doc, row.name, width * NAMES_WIDTH_SHARE - 12),
        TEXT_STYLES.label,
        start - 8,
        middle + 2.8,
        'end',
      )
      const long = Math.max(1, (longest * row.percent) / most)
      doc.roundedRect(start, middle - 5, long, 10, 2).fill(colour)
      drawText(
        doc,
        formatPercentValue(row.percent),
        { ...TEXT_STYLES.label, tabular: true },
        start + long + 6,
        middle + 2.8,
      )
    }
  }
  drawTagged(sheet, 'Figure', draw, { alt })
  sheet.y += ROW_HEIGHT * rows.length + after
}
