import type { Proof } from '@voisol/contract/signatures'
import { drawHeading, drawOpening, drawParagraph } from '@voisol/documents/pdf/blocks'
import { closePdf, openPdf } from '@voisol/documents/pdf/document'
import type { Brand } from '@voisol/documents/pdf/frame'
import { formatLongDate } from '@voisol/documents/pdf/pdf-number-formats'
import { formatFrenchTime } from '@voisol/file-formats/french'
import type { TaskResult } from '../../../workers/task.ts'

export type SignedDocument = {
  title: string
  subject: string
  brand: Brand
  proof: Proof
  /** The consents given with it, one per checkbox. */
  given?: { title: string; text: string }[]
}

/** Draws the signed text, then the proof of its signature. */
async function drawSignedDocument({ title, subject, brand, proof, given = [] }: SignedDocument): Promise<Uint8Array> {
  const at = new Date(proof.at)
  const sheet = openPdf({ title, subject, author: brand.name, createdAt: at })
  drawOpening(sheet, title, subject, formatLongDate(at), brand)
  for (const part of proof.text.split('\n\n')) drawParagraph(sheet, part)
  if (given.length) drawHeading(sheet, 2, 'Accords donnés pour les données')
  for (const one of given) drawParagraph(sheet, `${one.title}\u00a0: ${one.text}`)
  drawHeading(sheet, 2, 'Preuve de la signature')
  drawParagraph(
    sheet,
    `Signé à l’écran le ${formatFrenchTime(Math.floor(at.getTime() / 60_000))} par\u00a0: ${proof.name}.`,
  )
  drawParagraph(sheet, `Adresse IP\u00a0: ${proof.ip}. Navigateur\u00a0: ${proof.userAgent || 'non indiqué'}.`)
  drawParagraph(sheet, `Empreinte SHA-256 du texte\u00a0: ${proof.hash}.`)
  return closePdf(sheet, { title, brand })
}

export default async function draw(paper: SignedDocument) {
  const value = new Uint8Array(await drawSignedDocument(paper))
  return { value, moved: [value.buffer] } satisfies TaskResult<Uint8Array>
}
