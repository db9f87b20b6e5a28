import type { Proof } from '@voisol/contract/signatures'
import type { Answer } from '../../../compute/task.ts'
import { frenchTime } from '../../../french.ts'
import { heading, opening, paragraph } from '../../../pdf/blocks.ts'
import { closeSheet, openSheet } from '../../../pdf/document.ts'
import { longDate } from '../../../pdf/figures.ts'
import type { Brand } from '../../../pdf/frame.ts'

export type SignedPaper = {
  title: string
  subject: string
  brand: Brand
  proof: Proof
  /** What was agreed to beside it, box by box. */
  given?: { title: string; text: string }[]
}

/** The text that was shown, then what proves that it was signed. */
export async function signedPaper({ title, subject, brand, proof, given = [] }: SignedPaper): Promise<Uint8Array> {
  const at = new Date(proof.at)
  const sheet = openSheet({ title, subject, author: brand.name, createdAt: at })
  opening(sheet, title, subject, longDate(at), brand)
  for (const part of proof.text.split('\n\n')) paragraph(sheet, part)
  if (given.length) heading(sheet, 2, 'Accords donnés pour les données')
  for (const one of given) paragraph(sheet, `${one.title}\u00a0: ${one.text}`)
  heading(sheet, 2, 'Preuve de la signature')
  paragraph(sheet, `Signé à l’écran le ${frenchTime(Math.floor(at.getTime() / 60_000))} par\u00a0: ${proof.name}.`)
  paragraph(sheet, `Adresse IP\u00a0: ${proof.ip}. Navigateur\u00a0: ${proof.userAgent || 'non indiqué'}.`)
  paragraph(sheet, `Empreinte SHA-256 du texte\u00a0: ${proof.hash}.`)
  return closeSheet(sheet, { title, brand })
}

export default async function draw(paper: SignedPaper) {
  const value = new Uint8Array(await signedPaper(paper))
  return { value, moved: [value.buffer] } satisfies Answer<Uint8Array>
}
