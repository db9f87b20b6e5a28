import { buildLegalPdf, type LegalPdfInput } from '@voisol/documents/pdf/prose-documents'
import { parseProseBlocks } from '../../../prose/parse-prose.ts'
import type { TaskResult } from '../../../workers/task.ts'

/** A legal document, from its text to its pages. */
export default async function drawLegalPdf({ body, ...paper }: Omit<LegalPdfInput, 'body'> & { body: string }) {
  const value = new Uint8Array(await buildLegalPdf({ ...paper, body: parseProseBlocks(body) }))
  return { value, moved: [value.buffer] } satisfies TaskResult<Uint8Array>
}
