import { heading, opening, paragraph } from './blocks.ts'
import { closeSheet, openSheet } from './document.ts'
import { longDate } from './figures.ts'
import { COLOURS } from './look.ts'
import { table } from './table.ts'

export type ConsentPack = {
  company: { name: string; email: string }
  at: Date
  /** Every text that was ever shown, and how many words stand on it. */
  texts: { title: string; version: string; text: string; valid: number; ended: number; withdrawn: number }[]
  ways: { label: string; count: number }[]
}

const TITLE = 'Dossier des accords'

/** What people were asked, word for word, and how they answered. Nobody is named: the list is in the regulatory exports. */
export function consentPaper({ company, at, texts, ways }: ConsentPack): Promise<Uint8Array> {
  const sheet = openSheet({ title: TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  opening(sheet, TITLE, company.name, longDate(at), brand)
  paragraph(
    sheet,
    'Un accord vaut pour une seule finalité, trois ans au plus, et se retire à tout moment dans l’espace du participant (RGPD, articles 4-11 et 7). Chacun est gardé avec la version du texte, la date, le moyen et l’adresse d’où il a été donné.',
  )
  table(
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
    paragraph(sheet, `Recueillis par\u00a0: ${ways.map(({ label, count }) => `${label} (${count})`).join(', ')}.`)
  for (const { title, version, text } of texts) {
    heading(sheet, 2, `${title} – texte ${version}`)
    paragraph(sheet, text)
  }
  return closeSheet(sheet, { title: TITLE, brand })
}
