import { buildWhitePaperPdf, type WhitePaperInput } from '@voisol/documents/pdf/prose-documents'
import { parseProseBlocks } from '../../../prose/parse-prose.ts'
import type { TaskResult } from '../../../workers/task.ts'

/** A white paper of the desk, from its text to its pages. */
export default async function drawWhitePaperPdf({ body, ...paper }: Omit<WhitePaperInput, 'body'> & { body: string }) {
  const value = new Uint8Array(await buildWhitePaperPdf({ ...paper, body: parseProseBlocks(body) }))
  return { value, moved: [value.buffer] } satisfies TaskResult<Uint8Array>
}
