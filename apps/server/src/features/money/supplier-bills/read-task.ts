import type { ReadBill } from '@voisol/contract/supplier-bills'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Answer } from '../../../compute/task.ts'
import { readText } from './read-text.ts'

const MOST_PAGES = 20
const MOST_TEXT = 200_000

/** The text of an invoice in PDF, in a thread with limits: nothing in it is run, and its pictures are not looked at. */
export default async function read(bytes: Uint8Array): Promise<Answer<ReadBill | 'unreadable' | 'too-long'>> {
  try {
    const pdf = await getDocumentProxy(bytes, { isEvalSupported: false, disableFontFace: true })
    if (pdf.numPages > MOST_PAGES) return { value: 'too-long' }
    const { text } = await extractText(pdf, { mergePages: false })
    return { value: readText(text.join('\n').slice(0, MOST_TEXT)) }
  } catch {
    return { value: 'unreadable' }
  }
}
