import { drawLines, heightOf } from './blocks.ts'
import { ornament, room, type Sheet, tagged } from './document.ts'
import { drawWord } from './frame.ts'
import { COLOURS } from './look.ts'
import { LOOKS, runsOf } from './runs.ts'
import { linesOf, measure } from './text.ts'

export type Tile = { label: string; figure: string; unit: string; note?: string; colour?: string }
const GAP = 10
const PAD = 12

function figureSize(sheet: Sheet, { figure, unit }: Tile, width: number) {
  const needed = measure(sheet.doc, LOOKS.figure, figure) + measure(sheet.doc, LOOKS.unit, unit) + 5
  return Math.min(LOOKS.figure.size, (LOOKS.figure.size * width) / needed)
}

/** Figures in cards, `columns` to a row. */
export function tiles(sheet: Sheet, items: Tile[], columns = 3, after = 14) {
  const width = (sheet.width - GAP * (columns - 1)) / columns
  const inner = width - PAD * 2
  const measured = items.map((tile) => ({
    tile,
    label: linesOf(sheet.doc, runsOf(tile.label, LOOKS.label), inner),
    note: tile.note ? linesOf(sheet.doc, runsOf(tile.note, LOOKS.small), inner) : [],
  }))
  for (let from = 0; from < items.length; from += columns) {
    const row = measured.slice(from, from + columns)
    const labels = Math.max(...row.map(({ label }) => heightOf(label, LOOKS.label)))
    const notes = Math.max(...row.map(({ note }) => heightOf(note, LOOKS.small)))
    const height = PAD * 2 + labels + 26 + (notes ? notes + 4 : 0)
    room(sheet, height)
    for (const [at, { tile, label, note }] of row.entries()) {
      const x = sheet.left + at * (width + GAP)
      const { y } = sheet
      ornament(sheet, (doc) => {
        doc.roundedRect(x, y, width, height, 6).lineWidth(0.7).fillAndStroke(COLOURS.tint, COLOURS.hairline)
        doc.roundedRect(x, y + PAD, 2.5, height - PAD * 2, 1).fill(tile.colour ?? COLOURS.sun)
      })
      const size = figureSize(sheet, tile, inner)
      tagged(sheet, 'P', () => {
        drawLines(sheet.doc, label, LOOKS.label, { x: x + PAD, y: y + PAD, width: inner })
        const look = { ...LOOKS.figure, size }
        const baseline = y + PAD + labels + 21
        drawWord(sheet.doc, tile.figure, look, x + PAD, baseline)
        drawWord(sheet.doc, tile.unit, LOOKS.unit, x + PAD + measure(sheet.doc, look, tile.figure) + 4, baseline)
        drawLines(sheet.doc, note, LOOKS.small, { x: x + PAD, y: y + PAD + labels + 30, width: inner })
      })
    }
    sheet.y += height + GAP
  }
  sheet.y += after - GAP
}
