import type {
  FilledBlock,
  FilledChart,
  FilledFigure,
  FilledTable,
  ReportContent,
} from '@voisol/contract/report-content'
import { bullets, heading, opening, paragraph } from '../pdf/blocks.ts'
import { chart } from '../pdf/chart.ts'
import { closeSheet, openSheet, type Sheet } from '../pdf/document.ts'
import { COLOURS } from '../pdf/look.ts'
import { LOOKS } from '../pdf/runs.ts'
import { shares } from '../pdf/shares.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'

const TONES = { sun: COLOURS.sun, surplus: COLOURS.surplus, night: COLOURS.night }

function drawFigures(sheet: Sheet, figures: FilledFigure[], colour: string) {
  const columns = figures.length === 2 || figures.length === 4 ? 2 : 3
  tiles(
    sheet,
    figures.map(({ label, figure, unit, note }) => ({ label, figure, unit, colour, ...(note && { note }) })),
    columns,
  )
}

function drawChart(sheet: Sheet, { title, shape, unit, names, series, alt }: FilledChart) {
  // Bars of shares take as much as they are; the others a chart's height.
  heading(sheet, 2, title, { keep: shape === 'shares' ? names.length * 17 : 172 })
  const known = series.some(({ values }) => values.some((value) => value !== null))
  if (!known) return paragraph(sheet, 'Rien n’est connu de cette période.', { look: LOOKS.quiet })
  if (shape === 'shares')
    return shares(
      sheet,
      names.map((name, at) => ({ name, percent: series[0]?.values[at] ?? 0 })),
      alt,
    )
  const drawn = series.map(({ label, tone, values }) => ({ label, values, colour: TONES[tone] }))
  chart(sheet, { series: drawn, names, unit, alt, shape })
}

function drawTable(sheet: Sheet, { title, lead, columns, rows, total }: FilledTable) {
  heading(sheet, 2, title)
  if (lead) paragraph(sheet, lead, { look: LOOKS.quiet })
  if (rows.length > 0) table(sheet, columns, rows, { total })
}

/** Figures that follow one another are cards of one row; everything else stands by itself. */
function drawBlocks(sheet: Sheet, blocks: FilledBlock[], colour: string) {
  let row: FilledFigure[] = []
  const close = () => {
    if (row.length > 0) drawFigures(sheet, row, colour)
    row = []
  }
  for (const block of blocks) {
    if (block.kind === 'figure') {
      row.push(block)
      continue
    }
    close()
    if (block.kind === 'chart') drawChart(sheet, block)
    else if (block.kind === 'table') drawTable(sheet, block)
    else {
      if (block.title) heading(sheet, 2, block.title)
      for (const part of block.text.split(/\n{2,}/)) if (part) paragraph(sheet, part)
    }
  }
  close()
}

/** `words` say which version it is; `day` is the one on which it is made; `logo` is the company's, where it has one. */
type Made = { words: string; day: string; logo?: Uint8Array | undefined }

/** A report, drawn from what it shows and from nothing else. */
export async function reportPdf(content: ReportContent, { words, day, logo }: Made): Promise<Uint8Array> {
  const { title, subject, period, blocks, notes } = content
  const brand = { ...content.brand, logo }
  const name = `${title}, ${period}`
  const sheet = openSheet({
    title: `${name}, ${subject.name}`,
    subject: subject.name,
    author: brand.name,
    createdAt: new Date(`${day}T12:00:00Z`),
  })
  opening(sheet, title, `${subject.name}, ${period}`, words, brand)
  drawBlocks(sheet, blocks, brand.colour)
  if (notes.length > 0) {
    heading(sheet, 2, 'À savoir en lisant ces chiffres')
    bullets(sheet, notes)
  }
  return closeSheet(sheet, { title: name, brand })
}
