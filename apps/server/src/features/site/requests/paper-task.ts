import type { Answer } from '../../../compute/task.ts'
import { type WhitePaper, whitePaperPdf } from '../../../pdf/white-paper.ts'
import { parseProse } from '../../../prose/parse.ts'

/** A white paper of the desk, from its text to its pages. */
export default async function draw({ body, ...paper }: Omit<WhitePaper, 'body'> & { body: string }) {
  const value = new Uint8Array(await whitePaperPdf({ ...paper, body: parseProse(body) }))
  return { value, moved: [value.buffer] } satisfies Answer<Uint8Array>
}
