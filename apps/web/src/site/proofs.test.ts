import { api } from '@voisol/contract'
import { expect, test } from 'vitest'
import { screens } from '../app/screens/table.ts'
import { removeMarks } from './blocks/section.tsx'
import { pageLayouts } from './layouts.ts'
import type { PageBlock } from './page.tsx'
import { pages } from './pages.ts'
import { paths } from './paths.ts'
import { type PageProof, pageProofs } from './proofs.ts'

type NamedItem = { name: string; words: string[] }
const wordsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(wordsOf) : []
}

/** Everything a page names as something that is there: its cards, its choices, what its plans include. */
function listNamedItems(block: PageBlock): NamedItem[] {
  if (block.kind === 'features') return block.items.map((item) => ({ name: item.title, words: wordsOf(item) }))
  if (block.kind === 'showcase') return block.items.map((item) => ({ name: item.name, words: wordsOf(item) }))
  if (block.kind === 'table' && block.id === 'comparer')
    return block.groups.flatMap(({ rows }) => rows.map(({ label }) => ({ name: label, words: [label] })))
  if (block.kind !== 'own') return []
  const {
    plans = [],
    legend,
    items = [],
  } = block.content as {
    plans?: { features: string[]; notIncluded: string[] }[]
    legend?: string
    items?: { title: string }[]
  } // the two blocks whose content names features
  const included = plans.flatMap(({ features, notIncluded }) => [...features, ...notIncluded])
  return [
    ...included.map((name) => ({ name, words: [name] })),
    ...(legend ? items.map((item) => ({ name: item.title, words: wordsOf(item) })) : []),
  ]
}

/** A typed no-break space is as good as a space for a name. */
const plainly = (text: string) => removeMarks(text).replace(/[\u00a0\u202f]/g, ' ')

const known = {
  call: Object.entries(api).flatMap(([feature, calls]) => Object.keys(calls).map((name) => `${feature}.${name}`)),
  screen: screens.map(({ path }): string => path),
  page: [...paths],
}
function exists(proof: PageProof) {
  if (proof === 'soon' || proof === 'said') return true
  const [kind = '', what = ''] = proof.split(' ')
  return known[kind as keyof typeof known].some((one) => one === what) // the three kinds of the type
}

const blocksOf = async (path: string): Promise<readonly PageBlock[]> => {
  const page = await pages.find((one) => one.path === path)?.page()
  return (page?.default as { blocks?: readonly PageBlock[] } | undefined)?.blocks ?? [] // what contentPage hangs on it
}
const all = (await Promise.all(Object.keys(pageLayouts).map(blocksOf))).flat()
const features = all.flatMap(listNamedItems)

/** Spaces that do not break are the same name. */
const provenItems: Record<string, PageProof> = Object.fromEntries(
  Object.entries(pageProofs).map(([name, proof]) => [plainly(name), proof]),
)

test('every proof exists', () => {
  expect(Object.entries(pageProofs).filter(([, proof]) => !exists(proof))).toEqual([])
})

test('everything that a page names has its proof, and every proof is of something named', () => {
  const names = new Set(features.map(({ name }) => plainly(name)))
  expect(names.size).toBeGreaterThan(80)
  expect([...names].filter((name) => !(name in provenItems))).toEqual([])
  expect(Object.keys(provenItems).filter((name) => !names.has(name))).toEqual([])
})

test('what is not in service says so where it is named', () => {
  const silent = features.filter(
    ({ name, words }) => provenItems[plainly(name)] === 'soon' && !/\[à venir\]/.test(words.join()),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})

const CLAIMS = [
  /95.% d’autoconsommation/,
  /(?<!«.)95.% de précision/,
  /5 à 15/,
  /60.% de réduction/,
  /500 installations/,
  /98.% de satisfaction/,
  /15.GWh/,
  /24\/7/,
  /[Ii]nstallation (?:en|prend) (?:24|48).h/,
  /5.min(?:utes)?\b.*support|support en moins de 5/,
  /toutes les 15.minutes/,
  /ISO.27001/,
  /héberg(?:ement|ées) en France/i,
  /sauvegarde quotidienne/i,
]

/** A figure and its words are one sentence. */
const sentences = (block: PageBlock): string[] =>
  block.kind === 'figures'
    ? [
        block.note ?? '',
        ...block.items.map(({ prefix, figure, unit, label }) => [prefix, figure, unit, label].join(' ')),
      ]
    : wordsOf(block.kind === 'own' ? block.content : block)

test('what Voisol announces and nothing measures is marked as what it aims at', () => {
  const announced = all.flatMap(sentences).filter((text) => CLAIMS.some((claim) => claim.test(text)))
  expect(announced.length).toBeGreaterThan(20)
  expect(announced.filter((text) => !text.includes('[objectif]'))).toEqual([])
})

test('a hero offers two things to do at most', () => {
  const heroes = all.filter((block) => block.kind === 'hero')
  expect(heroes.length).toBe(Object.keys(pageLayouts).length)
  for (const { title, actions } of heroes) expect(actions.length, title).toBeLessThanOrEqual(2)
})
