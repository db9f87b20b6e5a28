import { AppError, fieldError } from '../http/errors.ts'
import { type Prose, readProse } from './parse.ts'
import { wordsOf } from './words.ts'

export type Read = Prose & { words: number }
/** Reads texts beside the server: some take a very long time, however little they say. */
export type ReadTexts = (texts: string[]) => Promise<Read[]>

const KEPT = 300
/** So short that the worst of them takes a few milliseconds. */
const SHORT = 1000
/** A text that took too long is not tried again at once: it would take as long each time. */
const FORGIVEN_MS = 60_000
const kept = new Map<string, Promise<Read>>()

export const readAndCount = (markdown: string): Read => {
  const prose = readProse(markdown)
  return { ...prose, words: wordsOf(prose.blocks) }
}

const HOPELESS = ['compute-time', 'compute-memory']
export const isHopeless = (error: unknown) => error instanceof AppError && HOPELESS.includes(error.code)
export const tooTangled = (path: string) =>
  fieldError(path, 'Ce texte est trop imbriqué pour être lu\u00a0: retirez les marques de mise en forme répétées.')

function remember(markdown: string, read: Promise<Read>): void {
  kept.delete(markdown)
  kept.set(markdown, read)
  const oldest = kept.size > KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
}

const forgetFailure = (markdown: string, read: Promise<Read>) =>
  read.catch((error: unknown) => {
    const forget = () => kept.get(markdown) === read && kept.delete(markdown)
    if (isHopeless(error)) setTimeout(forget, FORGIVEN_MS).unref()
    else forget()
  })

/** The trees of texts, read once as long as they are among the last ones asked for: lists of the site read the same texts again and again. */
export function rememberedProse(texts: string[], readTexts: ReadTexts): Promise<Read[]> {
  const known = new Map(texts.map((text) => [text, kept.get(text)]))
  const long = [...known.keys()].filter((text) => !known.get(text) && text.length > SHORT)
  const all = long.length ? readTexts(long) : Promise.resolve([])
  const found = new Map<string, Promise<Read>>()
  for (const [text, earlier] of known) {
    const at = long.indexOf(text)
    const read = earlier ?? all.then((trees) => trees[at] ?? readAndCount(text))
    found.set(text, read)
    remember(text, read)
    if (!earlier) forgetFailure(text, read)
  }
  return Promise.all(texts.map((text) => found.get(text) ?? readAndCount(text)))
}
