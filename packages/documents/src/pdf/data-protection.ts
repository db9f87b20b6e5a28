import { drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { closePdf, openPdf } from './document.ts'
import { formatLongDate } from './pdf-number-formats.ts'
import { COLOURS } from './style.ts'
import { drawTable } from './table.ts'

export type ProcessingActivity = {
  name: string
  purpose: string
  basis: string
  people: string
  data: string
  recipients: string
  time: string
}
type RegisterPdfInput = {
  company: { name: string; siren: string; address: string; email: string }
  at: Date
  treatments: ProcessingActivity[]
  times: { label: string; time: string; law: string }[]
  security: string[]
}

const REGISTER_TITLE = 'Registre des activités de traitement'
const LINES: [keyof ProcessingActivity, string][] = [
  ['purpose', 'Finalité'],
  ['basis', 'Base légale'],
  ['people', 'Personnes concernées'],
  ['data', 'Données'],
  ['recipients', 'Destinataires'],
  ['time', 'Durée'],
]

/** The register of processing activities (GDPR, article 30): each activity, then all retention times. */
export function buildRegisterPdf({ company, at, treatments, times, security }: RegisterPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title: REGISTER_TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  drawOpening(sheet, REGISTER_TITLE, company.name, formatLongDate(at), brand)
  const known = [company.siren && `SIREN ${company.siren}`, company.address, company.email].filter(Boolean).join(', ')
  drawParagraph(
    sheet,
    `Responsable de traitement\u00a0: ${company.name}${known ? `, ${known}` : ''}. Ce registre répond à l’article 30 du règlement (UE) 2016/679. Il est fait de ce qui est réglé et en service à sa date.`,
  )
  for (const [at, treatment] of treatments.entries()) {
    drawHeading(sheet, 2, `${at + 1}. ${treatment.name}`)
    drawTable(
      sheet,
      [
        { head: 'Rubrique', part: 22 },
        { head: 'Contenu', part: 78 },
      ],
      LINES.map(([key, label]) => [label, treatment[key]]),
    )
  }
  drawHeading(sheet, 2, 'Durées de conservation')
  drawTable(
    sheet,
    [
      { head: 'Données', part: 36 },
      { head: 'Durée', part: 26 },
      { head: 'Texte', part: 38 },
    ],
    times.map(({ label, time, law }) => [label, time, law]),
  )
  drawHeading(sheet, 2, 'Mesures de sécurité')
  for (const line of security) drawParagraph(sheet, line)
  return closePdf(sheet, { title: REGISTER_TITLE, brand })
}

type ConsentPdfInput = {
  company: { name: string; email: string }
  at: Date
  /** Every version of the text shown, with its number of consents. */
  texts: { title: string; version: string; text: string; valid: number; ended: number; withdrawn: number }[]
  ways: { label: string; count: number }[]
}

const CONSENT_PACK_TITLE = 'Dossier des accords'

/** The exact texts of consent, and how many answered. It names nobody: the list is in the regulatory exports. */
export function buildConsentPdf({ company, at, texts, ways }: ConsentPdfInput): Promise<Uint8Array> {
  const sheet = openPdf({ title: CONSENT_PACK_TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  drawOpening(sheet, CONSENT_PACK_TITLE, company.name, formatLongDate(at), brand)
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
  return closePdf(sheet, { title: CONSENT_PACK_TITLE, brand })
}
