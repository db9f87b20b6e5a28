import type {
  FilledBlock,
  FilledChart,
  FilledFigure,
  FilledTable,
  ReportContent,
} from '@voisol/contract/report-content'
import { drawBullets, drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { drawChart, drawShareBars } from './pdf/chart.ts'
import { closePdf, openPdf, type PdfWriter } from './pdf/document.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'
import { TEXT_STYLES } from './pdf/text.ts'

const TONES = { sun: COLOURS.sun, surplus: COLOURS.surplus, night: COLOURS.night }

function drawReportFigures(sheet: PdfWriter, figures: FilledFigure[], colour: string) {
  const columns = figures.length === 2 || figures.length === 4 ? 2 : 3
  drawTiles(
    sheet,
    figures.map(({ label, figure, unit, note }) => ({ label, figure, unit, colour, ...(note && { note }) })),
    columns,
  )
}

function drawReportChart(sheet: PdfWriter, { title, shape, unit, names, series, alt }: FilledChart) {
  // A chart of shares is as high as its bars need; others have a fixed height.
  drawHeading(sheet, 2, title, { keep: shape === 'shares' ? names.length * 17 : 172 })
  const known = series.some(({ values }) => values.some((value) => value !== null))
  if (!known) return drawParagraph(sheet, 'Rien n’est connu de cette période.', { look: TEXT_STYLES.quiet })
  if (shape === 'shares')
    return drawShareBars(
      sheet,
      names.map((name, at) => ({ name, percent: series[0]?.values[at] ?? 0 })),
      alt,
    )
  const drawn = series.map(({ label, tone, values }) => ({ label, values, colour: TONES[tone] }))
  drawChart(sheet, { series: drawn, names, unit, alt, shape })
}

function drawReportTable(sheet: PdfWriter, { title, lead, columns, rows, total }: FilledTable) {
  drawHeading(sheet, 2, title)
  if (lead) drawParagraph(sheet, lead, { look: TEXT_STYLES.quiet })
  if (rows.length > 0) drawTable(sheet, columns, rows, { total })
}

/** Consecutive figures are cards in one row; every other block is on its own. */
function drawReportBlocks(sheet: PdfWriter, blocks: FilledBlock[], colour: string) {
  let row: FilledFigure[] = []
  const close = () => {
    if (row.length > 0) drawReportFigures(sheet, row, colour)
    row = []
  }
  for (const block of blocks) {
    if (block.kind === 'figure') {
      row.push(block)
      continue
    }
    close()
    if (block.kind === 'chart') drawReportChart(sheet, block)
    else if (block.kind === 'table') drawReportTable(sheet, block)
    else {
      if (block.title) drawHeading(sheet, 2, block.title)
      for (const part of block.text.split(/\n{2,}/)) if (part) drawParagraph(sheet, part)
    }
  }
  close()
}

/** `words` name the version; `day` is when it is generated; `logo` is that of the company, if any. */
type ReportPdfOptions = { words: string; day: string; logo?: Uint8Array | undefined }

/** The PDF of a report, from its stored content alone. */
export async function buildReportPdf(
  content: ReportContent,
  { words, day, logo }: ReportPdfOptions,
): Promise<Uint8Array> {
  const { title, subject, period, blocks, notes } = content
  const brand = { ...content.brand, logo }
  const name = `${title}, ${period}`
  const sheet = openPdf({
    title: `${name}, ${subject.name}`,
    subject: subject.name,
    author: brand.name,
    createdAt: new Date(`${day}T12:00:00Z`),
  })
  drawOpening(sheet, title, `${subject.name}, ${period}`, words, brand)
  drawReportBlocks(sheet, blocks, brand.colour)
  if (notes.length > 0) {
    drawHeading(sheet, 2, 'À savoir en lisant ces chiffres')
    drawBullets(sheet, notes)
  }
  return closePdf(sheet, { title: name, brand })
}
