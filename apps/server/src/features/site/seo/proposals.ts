import { DEFAULT_METADATA, PRODUCT_NAME } from '@voisol/contract/page-title'
import { SEO_LENGTHS } from '@voisol/contract/seo'
import type { PageText } from './page-text.ts'
import { extractTerms } from './terms.ts'

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
