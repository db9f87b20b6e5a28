import { SEO_LENGTHS, type SeoContent } from '@voisol/contract/seo'

const NBSP = '\u00a0'
const NAMES = { title: 'Titre', description: 'Description' } as const
const MISSING = { title: 'Titre manquant.', description: 'Description manquante.' } as const
const TWICE = { title: 'Même titre que', description: 'Même description que' } as const
type Part = keyof typeof NAMES

const characters = (n: number) => `${n}${NBSP}${n < 2 ? 'caractère' : 'caractères'}`

function lengthOf(part: Part, text: string): string[] {
  const { min, max } = SEO_LENGTHS[part]
  // What a reader counts, not what a computer stores.
  const length = [...text].length
  if (!length) return [MISSING[part]]
  const short = part === 'title' ? 'trop court' : 'trop courte'
  const long = part === 'title' ? 'trop long' : 'trop longue'
  if (length < min) return [`${NAMES[part]} ${short}${NBSP}: ${characters(length)}, ${min}${NBSP}au moins.`]
  if (length > max) return [`${NAMES[part]} ${long}${NBSP}: ${characters(length)}, ${max}${NBSP}au plus.`]
  return []
}

type Served = { path: string; served: SeoContent }
export type Others = Record<Part, Map<string, string[]>>

/** Which addresses serve each title and each description. */
export function gather(pages: Served[]): Others {
  const others: Others = { title: new Map(), description: new Map() }
  for (const part of ['title', 'description'] as const)
    for (const { path, served } of pages)
      others[part].set(served[part], [...(others[part].get(served[part]) ?? []), path])
  return others
}

export const warningsFor = ({ path, served }: Served, others: Others): string[] =>
  (['title', 'description'] as const).flatMap((part) => {
    const same = (others[part].get(served[part]) ?? []).filter((other) => other !== path)
    return [...lengthOf(part, served[part]), ...(same[0] && served[part] ? [`${TWICE[part]} ${same[0]}.`] : [])]
  })
