import { AppError, fieldError } from '../http/errors.ts'
import { countProseWords } from './inspect-prose.ts'
import { type ParsedProse, parseProseWithFaults } from './parse-prose.ts'

export type ProseWithWordCount = ParsedProse & { words: number }
/** Parses texts in a thread: some short texts take very long. */
type ParseTexts = (texts: string[]) => Promise<ProseWithWordCount[]>

const MAX_CACHED_TEXTS = 300
/** Short enough that the worst case takes a few milliseconds. */
const MAX_SHORT_LENGTH = 1000
/** A text that took too long is not retried at once: it would take as long again. */
const FAILURE_RETRY_MS = 60_000
const cachedTexts = new Map<string, Promise<ProseWithWordCount>>()

export const parseAndCountWords = (markdown: string): ProseWithWordCount => {
  const prose = parseProseWithFaults(markdown)
  return { ...prose, words: countProseWords(prose.blocks) }
}

const TOO_COMPLEX_CODES = ['compute-time', 'compute-memory']
export const isTextTooComplexError = (error: unknown) =>
  error instanceof AppError && TOO_COMPLEX_CODES.includes(error.code)
export const createTooNestedError = (path: string) =>
  fieldError(path, 'Ce texte est trop imbriqué pour être lu\u00a0: retirez les marques de mise en forme répétées.')

function cacheProse(markdown: string, read: Promise<ProseWithWordCount>): void {
  cachedTexts.delete(markdown)
  cachedTexts.set(markdown, read)
  const oldest = cachedTexts.size > MAX_CACHED_TEXTS ? cachedTexts.keys().next().value : undefined
  if (oldest !== undefined) cachedTexts.delete(oldest)
}

const removeFailedParse = (markdown: string, read: Promise<ProseWithWordCount>) =>
  read.catch((error: unknown) => {
    const forget = () => cachedTexts.get(markdown) === read && cachedTexts.delete(markdown)
    if (isTextTooComplexError(error)) setTimeout(forget, FAILURE_RETRY_MS).unref()
    else forget()
  })

/** Parsed texts, cached while recently used: lists of the site show the same texts again and again. */
export function parseProseCached(texts: string[], readTexts: ParseTexts): Promise<ProseWithWordCount[]> {
  const known = new Map(texts.map((text) => [text, cachedTexts.get(text)]))
  const long = [...known.keys()].filter((text) => !known.get(text) && text.length > MAX_SHORT_LENGTH)
  const all = long.length ? readTexts(long) : Promise.resolve([])
  const found = new Map<string, Promise<ProseWithWordCount>>()
  for (const [text, earlier] of known) {
    const at = long.indexOf(text)
    const read = earlier ?? all.then((trees) => trees[at] ?? parseAndCountWords(text))
    found.set(text, read)
    cacheProse(text, read)
    if (!earlier) removeFailedParse(text, read)
  }
  return Promise.all(texts.map((text) => found.get(text) ?? parseAndCountWords(text)))
}
