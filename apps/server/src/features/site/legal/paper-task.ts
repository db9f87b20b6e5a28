import type { Answer } from '../../../compute/task.ts'
import { type LegalDocument, legalPdf } from '../../../pdf/legal.ts'
import { parseProse } from '../../../prose/parse.ts'

/** A legal document, from its text to its pages. */
export default async function draw({ body, ...paper }: Omit<LegalDocument, 'body'> & { body: string }) {
  const value = new Uint8Array(await legalPdf({ ...paper, body: parseProse(body) }))
  return { value, moved: [value.buffer] } satisfies Answer<Uint8Array>
}
