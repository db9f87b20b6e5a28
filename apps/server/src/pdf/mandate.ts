import { heading, opening, paragraph } from './blocks.ts'
import { closeSheet, openSheet } from './document.ts'
import { longDate } from './figures.ts'
import { COLOURS } from './look.ts'

export type MandatePaper = {
  seller: { name: string; address: string; siren: string }
  /** Who makes the invoices. */
  by: string
  operations: string[]
  startsOn: string
  signedOn: string
}

const TITLE = 'Mandat de facturation'
const told = (day: string) => longDate(new Date(`${day}T12:00:00Z`))

/** A producer's word that invoices are made in its name. */
export function mandatePaper({ seller, by, operations, startsOn, signedOn }: MandatePaper): Promise<Uint8Array> {
  const sheet = openSheet({
    title: TITLE,
    subject: seller.name,
    author: by,
    createdAt: new Date(`${signedOn}T12:00:00Z`),
  })
  const brand = { name: by, colour: COLOURS.night, contact: '' }
  opening(sheet, TITLE, seller.name, told(signedOn), brand)
  const known = seller.siren ? `, SIREN ${seller.siren}` : ''
  paragraph(
    sheet,
    `${seller.name}${known}, ${seller.address}, donne mandat à ${by} d’établir et d’émettre, en son nom et pour son compte, les factures et les avoirs de l’électricité partagée de\u00a0: ${operations.join(', ')}.`,
  )
  heading(sheet, 2, 'Durée')
  paragraph(
    sheet,
    `Le mandat vaut à partir du ${told(startsOn)}, sans limite de durée. Chaque partie peut y mettre fin par écrit, avec un préavis d’un mois.`,
  )
  heading(sheet, 2, 'Engagements')
  paragraph(
    sheet,
    `${by} numérote les factures dans une série propre au mandant et lui en remet un double. Le mandant reste responsable de ses obligations en matière de facturation et de TVA, et signale tout changement de son identité ou de son régime.`,
  )
  heading(sheet, 2, 'Signatures')
  paragraph(sheet, `Signé électroniquement le ${told(signedOn)} par ${seller.name} et par ${by}.`)
  return closeSheet(sheet, { title: TITLE, brand })
}
