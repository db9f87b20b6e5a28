import { room, type Sheet, tagged } from './document.ts'
import { percent } from './figures.ts'
import { drawWord } from './frame.ts'
import { COLOURS } from './look.ts'
import { LOOKS } from './runs.ts'
import { measure } from './text.ts'

export type Share = { name: string; percent: number }

const ROW = 17
const NAMES = 0.42

/** Cut where the column ends: who reads the whole name finds it in the table. */
function shortened(doc: PDFKit.PDFDocument, name: string, width: number): string {
  if (measure(doc, LOOKS.label, name) <= width) return name
  let text = name
  while (text.length > 1 && measure(doc, LOOKS.label, `${text}…`) > width) text = text.slice(0, -1)
  return `${text.trimEnd()}…`
}

/** A bar for each, the longest the widest, as vectors. */
export function shares(sheet: Sheet, rows: Share[], alt: string, colour: string = COLOURS.sun, after = 12) {
  room(sheet, ROW * rows.length)
  const { doc, left, width, y } = sheet
  const start = left + width * NAMES
  const longest = width * (1 - NAMES) - 44
  const most = Math.max(...rows.map((row) => row.percent), 1e-9)
  const draw = () => {
    for (const [at, row] of rows.entries()) {
      const middle = y + ROW * at + ROW / 2
      drawWord(doc, shortened(doc, row.name, width * NAMES - 12), LOOKS.label, start - 8, middle + 2.8, 'end')
      const long = Math.max(1, (longest * row.percent) / most)
      doc.roundedRect(start, middle - 5, long, 10, 2).fill(colour)
      drawWord(doc, percent(row.percent), { ...LOOKS.label, tabular: true }, start + long + 6, middle + 2.8)
    }
  }
  tagged(sheet, 'Figure', draw, { alt })
  sheet.y += ROW * rows.length + after
}
