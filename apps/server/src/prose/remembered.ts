import { type Prose, readProse } from './parse.ts'
import { wordsOf } from './words.ts'

type Read = Prose & { words: number }
const KEPT = 300
const kept = new Map<string, Read>()

const readAndCount = (markdown: string): Read => {
  const prose = readProse(markdown)
  return { ...prose, words: wordsOf(prose.blocks) }
}

/** The tree of a text, read once as long as it is among the last ones asked for: lists of the site read the same texts again and again. */
export function rememberedProse(markdown: string): Read {
  const read = kept.get(markdown) ?? readAndCount(markdown)
  kept.delete(markdown)
  kept.set(markdown, read)
  const oldest = kept.size > KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  return read
}
