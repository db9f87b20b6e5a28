import { DEFAULT_METADATA, PRODUCT_NAME } from '@voisol/contract/page-title'
import { SEO_LENGTHS } from '@voisol/contract/seo'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { findKnownPage } from './known-pages.ts'

const STOP_WORDS = new Set(
  `a afin ai ainsi alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons c ca car ce ceci cela
  celle celles celui ces cet cette ceux chacun chacune chaque chez ci comme comment contre d dans de deja depuis des deux
  dire dit doit doivent donc dont du elle elles en encore enfin entre es est et etaient etait etant ete etes etre eu eux
  fait faire faut fois font grace hors ici il ils j jamais je jour jours jusqu juste l la le les leur leurs lors lorsqu lorsque lui ma
  mais me meme memes mes mieux moins mois mon n ne ni non nos notre nous on ont ou par parce parmi pas pendant peu peut
  peuvent plus plusieurs plutot point pour pourquoi puis puisqu qu quand quatre que quel quelle quelles quels qui quoi rien s sa
  sans sauf se selon sera sert ses seul seule si sinon soit son sont sous soyez sur t tant te tel telle tels tes toi ton
  toujours tous tout toute toutes tres trois trop tu un une va vers via voici voir vont vos votre vous y exemple cas`.split(
    /\s+/,
  ),
)

const normalizeForSearch = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isMeaningful = (word: string) =>
  word.length > 2 && !STOP_WORDS.has(normalizeForSearch(word)) && !/^\d+$/.test(word)

const PAIR_WEIGHT = 2.5
type Term = { text: string; weight: number; at: number }

/** Words and pairs of words said more than once; a pair says more than the word in it. */
function weighTerms(text: string): Term[] {
  const found = new Map<string, Term>()
  const add = (term: string, weight: number, at: number) => {
    const known = found.get(normalizeForSearch(term))
    if (known) known.weight += weight
    else found.set(normalizeForSearch(term), { text: term.toLowerCase(), weight, at })
  }
  const words = text.match(/\p{L}+(?:-\p{L}+)*|\d+|[.,;:!?]/gu) ?? []
  words.forEach((word, at) => {
    if (!isMeaningful(word)) return
    add(word, 1, at)
    const next = words[at + 1]
    if (next && isMeaningful(next)) add(`${word} ${next}`, PAIR_WEIGHT, at)
  })
  // A pair said once is two words that happened to meet.
  return [...found.values()].filter(({ text: term, weight }) => !term.includes(' ') || weight > PAIR_WEIGHT)
}

/** What a text speaks of, most said first; the same text always gives the same terms. */
export function extractTerms(text: string, limit: number): string[] {
  const terms = weighTerms(text).sort((a, b) => b.weight - a.weight || a.at - b.at)
  const chosen: string[] = []
  for (const { text: term } of terms) {
    const folded = normalizeForSearch(term)
    // A word inside a chosen pair, or its plural, would say the same thing again.
    if (
      chosen.some(
        (other) =>
          normalizeForSearch(other).includes(folded.replace(/s$/, '')) ||
          folded.includes(normalizeForSearch(other).replace(/s$/, '')),
      )
    )
      continue
    chosen.push(term)
    if (chosen.length === limit) break
  }
  return chosen
}

/** The words of a page, as somebody reads them. */
type PageText = { title: string; heading: string; paragraphs: string[]; headings: string[] }

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

const decodeEntities = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const htmlToText = (html: string) =>
  decodeEntities(html.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' '))
    .replace(/[ \n\r\t]+/g, ' ')
    .replace(/ ([.,…)])/g, '$1')
    .trim()

const listTagTexts = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>(.*?)</${tag}>`, 'gs'))].map(([, inner = '']) => htmlToText(inner))

/** What says of the text when it was written, and what leads to others. */
const ASIDE_PATTERN = /<(p)\b[^>]*\bdata-facts\b.*?<\/\1>|<section\b[^>]*aria-labelledby="related".*?<\/section>/gs

/** From a page that this server rendered itself: its own well-formed HTML, not anybody's. */
export function extractPageText(html: string): PageText {
  const main = (/<main(?:\s[^>]*)?>(.*)<\/main>/s.exec(html)?.[1] ?? '')
    .replace(ASIDE_PATTERN, ' ')
    .replace(/<(script|style|svg|nav|form|button)\b.*?<\/\1>/gs, ' ')
  return {
    title: listTagTexts(html, 'title')[0] ?? '',
    heading: listTagTexts(main, 'h1')[0] ?? '',
    headings: listTagTexts(main, 'h[23]').filter(Boolean),
    paragraphs: listTagTexts(main, 'p').filter((text) => text.length > 20),
  }
}

type Proposal = { title: string; description: string; keywords: string[] }
const MAX_KEYWORDS = 8
const { title: TITLE_LENGTH, description: DESCRIPTION_LENGTH } = SEO_LENGTHS
const TITLE_SUFFIX = ` — ${PRODUCT_NAME}`
/** For a page that says too little of itself: true of every page. */
const FALLBACK_TOPICS = ['autoconsommation collective solaire', 'énergie solaire partagée']
const FALLBACK_SENTENCES = [
  DEFAULT_METADATA.description,
  'Répartir, suivre et partager l’énergie de vos toits entre voisins, au quart d’heure.',
]

const countCharacters = (text: string) => [...text].length
/** Shorter is an aside (« Oui. ») that says nothing on its own. */
const MIN_SENTENCE_LENGTH = 25
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const cleanTitle = (text: string) =>
  text
    .replace(/\s*—\s*Voisol$/, '')
    .replace(/[\s.:;,–—-]+$/u, '')
    .trim()

/** Whole words only, and none that leaves the reader hanging. */
function cutAtWord(text: string, max: number): string {
  if (countCharacters(text) <= max) return text
  const cut = [...text].slice(0, max + 1).join('')
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), 0))
    .replace(/(?:\s+(?:\S{1,3}|pour|avec|dans|sans|sous|entre|vers|chez|dont|leur|leurs|cette|votre|notre))+$/iu, '')
    .replace(/[\s,:;–—-]+$/u, '')
}

function buildTitle(base: string, additions: string[]): string {
  let title = cutAtWord(cleanTitle(base), TITLE_LENGTH.max)
  for (const addition of additions) {
    if (countCharacters(title) >= TITLE_LENGTH.min) break
    const longer = title ? `${title}\u00a0: ${addition}` : capitalize(addition)
    if (!title.includes('\u00a0: ') && countCharacters(longer) <= TITLE_LENGTH.max) title = longer
  }
  const signed = title + TITLE_SUFFIX
  if (!title.includes(PRODUCT_NAME) && countCharacters(signed) <= TITLE_LENGTH.max) title = signed
  return countCharacters(title) >= TITLE_LENGTH.min
    ? title
    : cutAtWord(`${cleanTitle(title)} — ${FALLBACK_TOPICS[0]}`, TITLE_LENGTH.max)
}

const splitSentences = (text: string) => text.match(/[^.!?…]+(?:[.!?…]+(?=\s|$)|[.!?…]+(?=\S)[^.!?…]*)*[.!?…]*/gu) ?? []

/** Sentence after sentence while they fit; when the first is too long, as much of it as ends at a word. */
function buildDescription(texts: string[]): string {
  let description = ''
  for (const sentence of [...texts, ...FALLBACK_SENTENCES].flatMap(splitSentences).map((text) => text.trim())) {
    if (countCharacters(sentence) < MIN_SENTENCE_LENGTH || description.includes(sentence)) continue
    const closed = /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`
    const longer = description ? `${description} ${closed}` : closed
    if (countCharacters(longer) <= DESCRIPTION_LENGTH.max) description = longer
    else if (countCharacters(description) < DESCRIPTION_LENGTH.min)
      return `${cutAtWord(longer, DESCRIPTION_LENGTH.max - 1)}…`
    if (
      countCharacters(description) >= DESCRIPTION_LENGTH.min &&
      countCharacters(description) > DESCRIPTION_LENGTH.max - 30
    )
      break
  }
  return description
}

/** What the page is about, then what it says of it; the heading alone when both would not fit. */
function addSubject(subject: string, heading: string): string {
  const both = `${capitalize(subject)}\u00a0: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`
  const repeats = heading.toLowerCase().includes(subject)
  return heading && (repeats || countCharacters(both) > TITLE_LENGTH.max) ? heading : both
}

/** Three ways to present a page, made of its own words alone. */
export function buildProposals({ title, heading, headings, paragraphs }: PageText): Proposal[] {
  const text = [heading, title, ...headings, ...paragraphs].map(cleanTitle).join('. ')
  const keywords = extractTerms(text, MAX_KEYWORDS)
  const [first = FALLBACK_TOPICS[0] ?? '', second = FALLBACK_TOPICS[1] ?? ''] = keywords
  // What does not end as a sentence does is a label above a title.
  const prose = paragraphs.filter((paragraph) => /[.!?…]$/u.test(paragraph))
  const [lead = '', ...rest] = prose.length ? prose : paragraphs
  const about = prose.filter((paragraph) => paragraph.toLowerCase().includes(first)).slice(0, 3)
  return [
    {
      title: buildTitle(heading || title, [first, second, ...FALLBACK_TOPICS]),
      description: buildDescription([lead, ...rest]),
    },
    {
      title: buildTitle(title, [second, first, ...FALLBACK_TOPICS]),
      description: buildDescription([...about, ...rest]),
    },
    {
      title: buildTitle(addSubject(first, cleanTitle(headings[0] ?? heading)), [second, ...FALLBACK_TOPICS]),
      description: buildDescription([`${cleanTitle(heading || title)}.`, ...rest, lead]),
    },
  ].map((proposal) => ({ ...proposal, keywords }))
}

async function loadRenderedText(app: FastifyInstance, path: string): Promise<PageText> {
  const answer = await app.inject({ method: 'GET', url: path })
  if (answer.statusCode >= 500) throw new AppError('unavailable')
  if (answer.statusCode !== 200) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  return extractPageText(answer.body)
}

/** From the page as visitors read it; without the built pages, from what was published under this address. */
export async function generateProposals(app: FastifyInstance, db: Db, path: string) {
  const page = await findKnownPage(db, app.web, path)
  if (!page) throw fieldError('path', `Il n’y a pas de page à l’adresse ${path}.`)
  const { title, description } = page.own
  const text = app.web
    ? await loadRenderedText(app, path)
    : { title, heading: title, headings: [], paragraphs: [description] }
  return { proposals: buildProposals(text) }
}
