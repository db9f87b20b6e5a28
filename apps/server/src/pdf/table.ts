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
import { COLOURS } from './look.ts'
import { type RichText, TEXT_STYLES, type TextLine, type TextStyle, toTextRuns } from './runs.ts'
import { breakLines } from './text.ts'

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
