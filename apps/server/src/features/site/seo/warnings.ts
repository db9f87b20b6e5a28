import { SEO_LENGTHS, type SeoContent } from '@voisol/contract/seo'

const NBSP = '\u00a0'
const PART_LABELS = { title: 'Titre', description: 'Description' } as const
const MISSING_MESSAGES = { title: 'Titre manquant.', description: 'Description manquante.' } as const
const DUPLICATE_MESSAGES = { title: 'Même titre que', description: 'Même description que' } as const
type Part = keyof typeof PART_LABELS

const formatCharacters = (n: number) => `${n}${NBSP}${n < 2 ? 'caractère' : 'caractères'}`

function checkLength(part: Part, text: string): string[] {
  const { min, max } = SEO_LENGTHS[part]
  // What a reader counts, not what a computer stores.
  const length = [...text].length
  if (!length) return [MISSING_MESSAGES[part]]
  const short = part === 'title' ? 'trop court' : 'trop courte'
  const long = part === 'title' ? 'trop long' : 'trop longue'
  if (length < min) return [`${PART_LABELS[part]} ${short}${NBSP}: ${formatCharacters(length)}, ${min}${NBSP}au moins.`]
  if (length > max) return [`${PART_LABELS[part]} ${long}${NBSP}: ${formatCharacters(length)}, ${max}${NBSP}au plus.`]
  return []
}

type ServedPage = { path: string; served: SeoContent }
export type ContentIndex = Record<Part, Map<string, string[]>>

/** Which addresses serve each title and each description. */
export function indexByContent(pages: ServedPage[]): ContentIndex {
  const others: ContentIndex = { title: new Map(), description: new Map() }
  for (const part of ['title', 'description'] as const)
    for (const { path, served } of pages)
      others[part].set(served[part], [...(others[part].get(served[part]) ?? []), path])
  return others
}

export const listSeoWarnings = ({ path, served }: ServedPage, others: ContentIndex): string[] =>
  (['title', 'description'] as const).flatMap((part) => {
    const same = (others[part].get(served[part]) ?? []).filter((other) => other !== path)
    return [
      ...checkLength(part, served[part]),
      ...(same[0] && served[part] ? [`${DUPLICATE_MESSAGES[part]} ${same[0]}.`] : []),
    ]
  })
