import { FALLBACK, PRODUCT } from '@voisol/contract/page-title'
import { SEO_LENGTHS } from '@voisol/contract/seo'
import type { PageText } from './page-text.ts'
import { termsOf } from './terms.ts'

type Proposal = { title: string; description: string; keywords: string[] }
const KEYWORDS = 8
const { title: TITLE, description: DESCRIPTION } = SEO_LENGTHS
const SIGNATURE = ` — ${PRODUCT}`
/** For a page that says too little of itself: true of every page. */
const MORE = ['autoconsommation collective solaire', 'énergie solaire partagée']
const SENTENCES = [
  FALLBACK.description,
  'Répartir, suivre et partager l’énergie de vos toits entre voisins, au quart d’heure.',
]

const lengthOf = (text: string) => [...text].length
/** Shorter is an aside (« Oui. ») that says nothing on its own. */
const SHORTEST = 25
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const clean = (text: string) =>
  text
    .replace(/\s*—\s*Voisol$/, '')
    .replace(/[\s.:;,–—-]+$/u, '')
    .trim()

/** Whole words only, and none that leaves the reader hanging. */
function cutAtWord(text: string, max: number): string {
  if (lengthOf(text) <= max) return text
  const cut = [...text].slice(0, max + 1).join('')
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), 0))
    .replace(/(?:\s+(?:\S{1,3}|pour|avec|dans|sans|sous|entre|vers|chez|dont|leur|leurs|cette|votre|notre))+$/iu, '')
    .replace(/[\s,:;–—-]+$/u, '')
}

function titleFrom(base: string, additions: string[]): string {
  let title = cutAtWord(clean(base), TITLE.max)
  for (const addition of additions) {
    if (lengthOf(title) >= TITLE.min) break
    const longer = title ? `${title}\u00a0: ${addition}` : capital(addition)
    if (!title.includes('\u00a0: ') && lengthOf(longer) <= TITLE.max) title = longer
  }
  const signed = title + SIGNATURE
  if (!title.includes(PRODUCT) && lengthOf(signed) <= TITLE.max) title = signed
  return lengthOf(title) >= TITLE.min ? title : cutAtWord(`${clean(title)} — ${MORE[0]}`, TITLE.max)
}

const sentencesOf = (text: string) => text.match(/[^.!?…]+(?:[.!?…]+(?=\s|$)|[.!?…]+(?=\S)[^.!?…]*)*[.!?…]*/gu) ?? []

/** Sentence after sentence while they fit; when the first is too long, as much of it as ends at a word. */
function descriptionFrom(texts: string[]): string {
  let description = ''
  for (const sentence of [...texts, ...SENTENCES].flatMap(sentencesOf).map((text) => text.trim())) {
    if (lengthOf(sentence) < SHORTEST || description.includes(sentence)) continue
    const closed = /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`
    const longer = description ? `${description} ${closed}` : closed
    if (lengthOf(longer) <= DESCRIPTION.max) description = longer
    else if (lengthOf(description) < DESCRIPTION.min) return `${cutAtWord(longer, DESCRIPTION.max - 1)}…`
    if (lengthOf(description) >= DESCRIPTION.min && lengthOf(description) > DESCRIPTION.max - 30) break
  }
  return description
}

/** What the page is about, then what it says of it; the heading alone when both would not fit. */
function withSubject(subject: string, heading: string): string {
  const both = `${capital(subject)}\u00a0: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`
  const repeats = heading.toLowerCase().includes(subject)
  return heading && (repeats || lengthOf(both) > TITLE.max) ? heading : both
}

/** Three ways to present a page, made of its own words alone. */
export function proposalsFrom({ title, heading, headings, paragraphs }: PageText): Proposal[] {
  const text = [heading, title, ...headings, ...paragraphs].map(clean).join('. ')
  const keywords = termsOf(text, KEYWORDS)
  const [first = MORE[0] ?? '', second = MORE[1] ?? ''] = keywords
  // What does not end as a sentence does is a label above a title.
  const prose = paragraphs.filter((paragraph) => /[.!?…]$/u.test(paragraph))
  const [lead = '', ...rest] = prose.length ? prose : paragraphs
  const about = prose.filter((paragraph) => paragraph.toLowerCase().includes(first)).slice(0, 3)
  return [
    { title: titleFrom(heading || title, [first, second, ...MORE]), description: descriptionFrom([lead, ...rest]) },
    { title: titleFrom(title, [second, first, ...MORE]), description: descriptionFrom([...about, ...rest]) },
    {
      title: titleFrom(withSubject(first, clean(headings[0] ?? heading)), [second, ...MORE]),
      description: descriptionFrom([`${clean(heading || title)}.`, ...rest, lead]),
    },
  ].map((proposal) => ({ ...proposal, keywords }))
}
