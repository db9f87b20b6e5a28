import type { ReadBill } from '@voisol/contract/supplier-bills'
import { extractText, getDocumentProxy } from 'unpdf'
import type { TaskResult } from '../../../workers/task.ts'
import { parseBillText } from './bill-text.ts'

const MAX_PDF_PAGES = 20
const MAX_TEXT_LENGTH = 200_000

/** Extracts the text of a PDF invoice in a limited worker thread; scripts are not run and images not read. */
export default async function readBillTask(
  bytes: Uint8Array,
): Promise<TaskResult<ReadBill | 'unreadable' | 'too-long'>> {
  try {
    const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true })
    if (pdf.numPages > MAX_PDF_PAGES) return { value: 'too-long' }
    const { text } = await extractText(pdf, { mergePages: false })
    return { value: parseBillText(text.join('\n').slice(0, MAX_TEXT_LENGTH)) }
  } catch {
    return { value: 'unreadable' }
  }
}
