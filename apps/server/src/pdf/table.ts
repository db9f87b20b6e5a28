import { type Align, drawLines, heightOf } from './blocks.ts'
import { nextPage, ornament, room, roomLeft, type Sheet, tagged, within } from './document.ts'
import { COLOURS } from './look.ts'
import { type Line, LOOKS, type Look, runsOf, type Words } from './runs.ts'
import { linesOf } from './text.ts'

/** `part` of the width. */
export type Column = { head: Words; part: number; align?: Align }
type Options = { after?: number /** The last row is a sum. */; total?: boolean; pad?: number }

const GUTTER = 10
type Cell = { lines: Line[]; look: Look; x: number; width: number; align: Align }

function cellsOf(sheet: Sheet, columns: Column[], words: Words[], lookOf: (column: Column) => Look): Cell[] {
  const parts = columns.reduce((sum, { part }) => sum + part, 0)
  const usable = sheet.width - GUTTER * (columns.length - 1)
  let x = sheet.left
  return columns.map((column, at) => {
    const width = (usable * column.part) / parts
    const look = lookOf(column)
    const cell = { lines: linesOf(sheet.doc, runsOf(words[at] ?? '', look), width), look, x, width }
    x += width + GUTTER
    return { ...cell, align: column.align ?? 'start' }
  })
}

const tallest = (cells: Cell[]) => Math.max(...cells.map(({ lines, look }) => heightOf(lines, look)))

function drawRow(sheet: Sheet, cells: Cell[], pad: number, head: boolean) {
  const height = tallest(cells) + pad * 2
  const top = sheet.y
  within(sheet, 'TR', () => {
    for (const { lines, look, ...place } of cells)
      tagged(
        sheet,
        head ? 'TH' : 'TD',
        () => drawLines(sheet.doc, lines, look, { ...place, y: top + pad }),
        head ? { scope: 'Column' } : {},
      )
  })
  sheet.y += height
  ornament(sheet, (doc) => {
    doc.moveTo(sheet.left, sheet.y).lineTo(sheet.left + sheet.width, sheet.y)
    doc
      .lineWidth(head ? 0.8 : 0.5)
      .strokeColor(head ? COLOURS.rule : COLOURS.hairline)
      .stroke()
  })
}

const bodyLook = ({ align }: Column): Look => (align === 'end' ? LOOKS.figureCell : LOOKS.cell)

/** Rows under hairlines; the head comes again on every page. */
export function table(sheet: Sheet, columns: Column[], rows: Words[][], options: Options = {}) {
  const { after = 12, total = false, pad = 4.5 } = options
  const head = () =>
    cellsOf(
      sheet,
      columns,
      columns.map((column) => column.head),
      () => LOOKS.headCell,
    )
  const cells = rows.map((row, at) =>
    cellsOf(sheet, columns, row, (column) =>
      total && at === rows.length - 1 ? { ...bodyLook(column), face: '600' } : bodyLook(column),
    ),
  )
  const first = cells[0] ? tallest(cells[0]) + pad * 2 : 0
  const named = columns.some((column) => column.head !== '')
  room(sheet, (named ? tallest(head()) + pad * 2 : 0) + first)
  within(sheet, 'Table', () => {
    if (named) drawRow(sheet, head(), pad, true)
    for (const [at, row] of cells.entries()) {
      // A last row alone on its page would be read without the others.
      const needed = tallest(row) + pad * 2 + (at === cells.length - 2 ? tallest(cells[at + 1] ?? row) + pad * 2 : 0)
      if (roomLeft(sheet) < needed) {
        nextPage(sheet)
        if (named) drawRow(sheet, head(), pad, true)
      }
      drawRow(sheet, row, pad, false)
    }
  })
  sheet.y += after
}
