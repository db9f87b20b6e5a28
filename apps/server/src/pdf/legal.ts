import type { Block } from '@voisol/contract/prose'
import { opening } from './blocks.ts'
import { closeSheet, openSheet } from './document.ts'
import { longDate } from './figures.ts'
import { drawProse } from './prose.ts'

export type LegalDocument = { title: string; summary: string; at: Date; body: Block[]; home: string }

/** A text with its title and its day, page after page. */
export function legalPdf({ title, summary, at, body, home }: LegalDocument): Promise<Uint8Array> {
  const sheet = openSheet({ title, subject: summary, createdAt: at })
  opening(sheet, title, summary, longDate(at))
  drawProse(sheet, body, { home })
  return closeSheet(sheet, { title })
}
