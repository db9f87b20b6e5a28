import type { Block } from '@voisol/contract/prose'
import { drawOpening } from './blocks.ts'
import { closePdf, openPdf } from './document.ts'
import { formatLongDate } from './figures.ts'
import { drawProse } from './prose.ts'

export type LegalPdfInput = { title: string; summary: string; at: Date; body: Block[]; home: string }

/** A legal text with its title and date. */
export function buildLegalPdf({ title, summary, at, body, home }: LegalPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title, subject: summary, createdAt: at })
  drawOpening(sheet, title, summary, formatLongDate(at))
  drawProse(sheet, body, { home })
  return closePdf(sheet, { title })
}
