import { drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { closePdf, openPdf } from './document.ts'
import { formatLongDate } from './figures.ts'
import { COLOURS } from './look.ts'
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
export type RegisterPdfInput = {
  company: { name: string; siren: string; address: string; email: string }
  at: Date
  treatments: ProcessingActivity[]
  times: { label: string; time: string; law: string }[]
  security: string[]
}

const TITLE = 'Registre des activités de traitement'
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
  const sheet = openPdf({ title: TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  drawOpening(sheet, TITLE, company.name, formatLongDate(at), brand)
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
  return closePdf(sheet, { title: TITLE, brand })
}
