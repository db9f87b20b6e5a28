import { drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { closePdf, openPdf } from './document.ts'
import { formatLongDate } from './figures.ts'
import { COLOURS } from './look.ts'
import { drawTable } from './table.ts'

export type ConsentPdfInput = {
  company: { name: string; email: string }
  at: Date
  /** Every version of the text shown, with its number of consents. */
  texts: { title: string; version: string; text: string; valid: number; ended: number; withdrawn: number }[]
  ways: { label: string; count: number }[]
}

const TITLE = 'Dossier des accords'

/** The exact texts of consent, and how many answered. It names nobody: the list is in the regulatory exports. */
export function buildConsentPdf({ company, at, texts, ways }: ConsentPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title: TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  drawOpening(sheet, TITLE, company.name, formatLongDate(at), brand)
  drawParagraph(
    sheet,
    'Un accord vaut pour une seule finalité, trois ans au plus, et se retire à tout moment dans l’espace du participant (RGPD, articles 4-11 et 7). Chacun est gardé avec la version du texte, la date, le moyen et l’adresse d’où il a été donné.',
  )
  drawTable(
    sheet,
    [
      { head: 'Finalité et version', part: 46 },
      { head: 'En cours', part: 18, align: 'end' },
      { head: 'Finis', part: 18, align: 'end' },
      { head: 'Retirés', part: 18, align: 'end' },
    ],
    texts.map(({ title, version, valid, ended, withdrawn }) => [
      `${title} (${version})`,
      String(valid),
      String(ended),
      String(withdrawn),
    ]),
  )
  if (ways.length)
    drawParagraph(sheet, `Recueillis par\u00a0: ${ways.map(({ label, count }) => `${label} (${count})`).join(', ')}.`)
  for (const { title, version, text } of texts) {
    drawHeading(sheet, 2, `${title} – texte ${version}`)
    drawParagraph(sheet, text)
  }
  return closePdf(sheet, { title: TITLE, brand })
}
