import { heading, opening, paragraph } from './blocks.ts'
import { closeSheet, openSheet } from './document.ts'
import { longDate } from './figures.ts'
import { COLOURS } from './look.ts'
import { table } from './table.ts'

export type Treatment = {
  name: string
  purpose: string
  basis: string
  people: string
  data: string
  recipients: string
  time: string
}
export type RegisterData = {
  company: { name: string; siren: string; address: string; email: string }
  at: Date
  treatments: Treatment[]
  times: { label: string; time: string; law: string }[]
  security: string[]
}

const TITLE = 'Registre des activités de traitement'
const LINES: [keyof Treatment, string][] = [
  ['purpose', 'Finalité'],
  ['basis', 'Base légale'],
  ['people', 'Personnes concernées'],
  ['data', 'Données'],
  ['recipients', 'Destinataires'],
  ['time', 'Durée'],
]

/** Article 30 of the GDPR: each activity on its own, then how long everything is kept. */
export function registerPaper({ company, at, treatments, times, security }: RegisterData): Promise<Uint8Array> {
  const sheet = openSheet({ title: TITLE, subject: company.name, author: company.name, createdAt: at })
  const brand = { name: company.name, colour: COLOURS.night, contact: company.email }
  opening(sheet, TITLE, company.name, longDate(at), brand)
  const known = [company.siren && `SIREN ${company.siren}`, company.address, company.email].filter(Boolean).join(', ')
  paragraph(
    sheet,
    `Responsable de traitement\u00a0: ${company.name}${known ? `, ${known}` : ''}. Ce registre répond à l’article 30 du règlement (UE) 2016/679. Il est fait de ce qui est réglé et en service à sa date.`,
  )
  for (const [at, treatment] of treatments.entries()) {
    heading(sheet, 2, `${at + 1}. ${treatment.name}`)
    table(
      sheet,
      [
        { head: 'Rubrique', part: 22 },
        { head: 'Contenu', part: 78 },
      ],
      LINES.map(([key, label]) => [label, treatment[key]]),
    )
  }
  heading(sheet, 2, 'Durées de conservation')
  table(
    sheet,
    [
      { head: 'Données', part: 36 },
      { head: 'Durée', part: 26 },
      { head: 'Texte', part: 38 },
    ],
    times.map(({ label, time, law }) => [label, time, law]),
  )
  heading(sheet, 2, 'Mesures de sécurité')
  for (const line of security) paragraph(sheet, line)
  return closeSheet(sheet, { title: TITLE, brand })
}
