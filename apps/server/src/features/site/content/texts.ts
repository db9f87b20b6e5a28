import { loadSiteOwnerId } from '../../../core/site-company.ts'
import type { Deps } from '../../../deps.ts'
import {
  createTooNestedError,
  isTextTooComplexError,
  type ProseWithWordCount,
  parseProseCached,
} from '../../../prose/remembered.ts'

export type ContentDeps = Pick<Deps, 'db' | 'compute'>

const parseInWorker = async (
  { db, compute }: ContentDeps,
  texts: string[],
  patient: boolean,
): Promise<ProseWithWordCount[]> => compute('content.prose', texts, { companyId: await loadSiteOwnerId(db), patient })

/** What is stored, as trees. Patient: it was read when it was saved, and is read once for all visitors who wait for it. */
export const parseStoredTexts = (ctx: ContentDeps, texts: string[]): Promise<ProseWithWordCount[]> =>
  parseProseCached(texts, (missing) => parseInWorker(ctx, missing, true))

/** What somebody has just typed: one that takes too long to read is refused at its field. */
export async function parseTypedText(ctx: ContentDeps, text: string, path: string): Promise<ProseWithWordCount> {
  const [read] = await parseProseCached([text], (missing) => parseInWorker(ctx, missing, false)).catch(
    (error: unknown) => {
      throw isTextTooComplexError(error) ? createTooNestedError(path) : error
    },
  )
  if (!read) throw createTooNestedError(path)
  return read
}
