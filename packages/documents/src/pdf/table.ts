import { drawLines, measureHeight, type TextAlign } from './blocks.ts'
import {
  addPage,
  drawArtifact,
  drawInElement,
  drawTagged,
  ensureSpace,
  getSpaceLeft,
  type PdfWriter,
} from './document.ts'
import { drawText } from './frame.ts'
import { COLOURS } from './style.ts'
import {
  breakLines,
  measureText,
  type RichText,
  TEXT_STYLES,
  type TextLine,
  type TextStyle,
  toTextRuns,
} from './text.ts'

/** `part`: share of the width. */
export type PdfTableColumn = { head: RichText; part: number; align?: TextAlign }
type DrawTableOptions = { after?: number /** The last row is a sum. */; total?: boolean; pad?: number }

const GUTTER = 10
type TableCellLayout = { lines: TextLine[]; look: TextStyle; x: number; width: number; align: TextAlign }

function buildCells(
  sheet: PdfWriter,
  columns: PdfTableColumn[],
  words: RichText[],
  lookOf: (column: PdfTableColumn) => TextStyle,
): TableCellLayout[] {
  const parts = columns.reduce((sum, { part }) => sum + part, 0)
  const usable = sheet.width - GUTTER * (columns.length - 1)
  let x = sheet.left
  return columns.map((column, at) => {
    const width = (usable * column.part) / parts
    const look = lookOf(column)
    const cell = { lines: breakLines(sheet.doc, toTextRuns(words[at] ?? '', look), width), look, x, width }
    x += width + GUTTER
    return { ...cell, align: column.align ?? 'start' }
  })
}

const getTallestHeight = (cells: TableCellLayout[]) =>
  Math.max(...cells.map(({ lines, look }) => measureHeight(lines, look)))

function drawRow(sheet: PdfWriter, cells: TableCellLayout[], pad: number, head: boolean) {
  const height = getTallestHeight(cells) + pad * 2
  const top = sheet.y
  drawInElement(sheet, 'TR', () => {
    for (const { lines, look, ...place } of cells)
      drawTagged(
        sheet,
        head ? 'TH' : 'TD',
        () => drawLines(sheet.doc, lines, look, { ...place, y: top + pad }),
        head ? { scope: 'Column' } : {},
      )
  })
  sheet.y += height
  drawArtifact(sheet, (doc) => {
    doc.moveTo(sheet.left, sheet.y).lineTo(sheet.left + sheet.width, sheet.y)
    doc
      .lineWidth(head ? 0.8 : 0.5)
      .strokeColor(head ? COLOURS.rule : COLOURS.hairline)
      .stroke()
  })
}

const getBodyStyle = ({ align }: PdfTableColumn): TextStyle =>
  align === 'end' ? TEXT_STYLES.figureCell : TEXT_STYLES.cell

/** Rows with thin lines; the header is repeated on every page. */
export function drawTable(
  sheet: PdfWriter,
  columns: PdfTableColumn[],
  rows: RichText[][],
  options: DrawTableOptions = {},
) {
  const { after = 12, total = false, pad = 4.5 } = options
  const head = () =>
    buildCells(
      sheet,
      columns,
      columns.map((column) => column.head),
      () => TEXT_STYLES.headCell,
    )
  const cells = rows.map((row, at) =>
    buildCells(sheet, columns, row, (column) =>
      total && at === rows.length - 1 ? { ...getBodyStyle(column), face: '600' } : getBodyStyle(column),
    ),
  )
  const first = cells[0] ? getTallestHeight(cells[0]) + pad * 2 : 0
  const named = columns.some((column) => column.head !== '')
  ensureSpace(sheet, (named ? getTallestHeight(head()) + pad * 2 : 0) + first)
  drawInElement(sheet, 'Table', () => {
    if (named) drawRow(sheet, head(), pad, true)
    for (const [at, row] of cells.entries()) {
      // The last row is not left alone on a page.
      const needed =
        getTallestHeight(row) +
        pad * 2 +
        (at === cells.length - 2 ? getTallestHeight(cells[at + 1] ?? row) + pad * 2 : 0)
      if (getSpaceLeft(sheet) < needed) {
        addPage(sheet)
        if (named) drawRow(sheet, head(), pad, true)
      }
      drawRow(sheet, row, pad, false)
    }
  })
  sheet.y += after
}

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
