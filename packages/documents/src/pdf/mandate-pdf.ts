import { drawHeading, drawOpening, drawParagraph } from './blocks.ts'
import { closePdf, openPdf } from './document.ts'
import { formatLongDate } from './pdf-number-formats.ts'
import { COLOURS } from './style.ts'

type MandatePdfInput = {
  seller: { name: string; address: string; siren: string }
  /** Who issues the invoices. */
  by: string
  operations: string[]
  startsOn: string
  signedOn: string
}

const TITLE = 'Mandat de facturation'
const formatDay = (day: string) => formatLongDate(new Date(`${day}T12:00:00Z`))

/** A mandate by which a producer has invoices issued in its name. */
export function buildMandatePdf({ seller, by, operations, startsOn, signedOn }: MandatePdfInput): Promise<Uint8Array> {
  const sheet = openPdf({
    title: TITLE,
    subject: seller.name,
    author: by,
    createdAt: new Date(`${signedOn}T12:00:00Z`),
  })
  const brand = { name: by, colour: COLOURS.night, contact: '' }
  drawOpening(sheet, TITLE, seller.name, formatDay(signedOn), brand)
  const known = seller.siren ? `, SIREN ${seller.siren}` : ''
  drawParagraph(
    sheet,
    `${seller.name}${known}, ${seller.address}, donne mandat à ${by} d’établir et d’émettre, en son nom et pour son compte, les factures et les avoirs de l’électricité partagée de\u00a0: ${operations.join(', ')}.`,
  )
  drawHeading(sheet, 2, 'Durée')
  drawParagraph(
    sheet,
    `Le mandat vaut à partir du ${formatDay(startsOn)}, sans limite de durée. Chaque partie peut y mettre fin par écrit, avec un préavis d’un mois.`,
  )
  drawHeading(sheet, 2, 'Engagements')
  drawParagraph(
    sheet,
    `${by} numérote les factures dans une série propre au mandant et lui en remet un double. Le mandant reste responsable de ses obligations en matière de facturation et de TVA, et signale tout changement de son identité ou de son régime.`,
  )
  drawHeading(sheet, 2, 'Signatures')
  drawParagraph(sheet, `Signé électroniquement le ${formatDay(signedOn)} par ${seller.name} et par ${by}.`)
  return closePdf(sheet, { title: TITLE, brand })
}
