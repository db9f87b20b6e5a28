import { REGULATORY_LABELS } from '@voisol/contract/regulatory'
import { formatLongDay } from '../../../papers/words.ts'
import { drawHeading, drawOpening, drawParagraph } from '../../../pdf/blocks.ts'
import { closePdf, openPdf } from '../../../pdf/document.ts'
import type { Brand } from '../../../pdf/frame.ts'
import { drawTable } from '../../../pdf/table.ts'
import type { ExportContent, ExportRequest } from './content.ts'
import { formatExportPeriod } from './period.ts'

type ExportVersion = { number: number; day: string; brand: Brand }

/** An export as a PDF to read, sign or attach to a letter. */
export function buildExportPdf(
  { kind, operation, period }: ExportRequest,
  content: ExportContent,
  { number, day, brand }: ExportVersion,
) {
  const { title, purpose } = REGULATORY_LABELS[kind]
  const { lead, columns, rows, after = [] } = content.sheet
  const createdAt = new Date(`${day}T12:00:00Z`)
  const pdfDocument = openPdf({ title, subject: operation.name, author: brand.name, createdAt })
  const about = [operation.name, operation.accNumber, operation.pmoName, formatExportPeriod(period)].filter(Boolean)
  drawOpening(pdfDocument, title, about.join(' · '), `Version ${number}, ${formatLongDay(day)}`, brand)
  drawParagraph(pdfDocument, purpose)
  drawParagraph(pdfDocument, lead)
  if (content.missing.length > 0) drawParagraph(pdfDocument, `Il manque\u00a0: ${content.missing.join(', ')}.`)
  if (rows.length > 0) drawTable(pdfDocument, columns, rows, { total: kind === 'yearly' })
  for (const { title: head, text } of after) {
    drawHeading(pdfDocument, 2, head)
    drawParagraph(pdfDocument, text)
  }
  return closePdf(pdfDocument, { title, brand })
}
