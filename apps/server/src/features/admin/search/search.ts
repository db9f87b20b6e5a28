import { hasPermission, type Permission } from '@voisol/contract/permissions'
import { MIN_SEARCH_LENGTH, type SearchHit, type SearchKind } from '@voisol/contract/search'
import {
  allowsTypos,
  createTypoCounter,
  ENOUGH_EXACT_HITS,
  exactMatch,
  exactOrFuzzyMatch,
  fuzzyMatch,
  MAX_HITS_PER_KIND,
  parseSearchWords,
  type SearchHitLocator,
  type SearchMatch,
  type SearchSource,
  type SearchStrategy,
} from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { searchInvoices } from '../../billing/invoices/index.ts'
import { searchDistributorFiles } from '../../enedis/files/index.ts'
import { searchCurveImports } from '../../energy/curves/index.ts'
import { searchDocuments } from '../../energy/documents/index.ts'
import { searchOperations } from '../../energy/operations/index.ts'
import {
  addParticipantDetails,
  addPointDetails,
  searchParticipants,
  searchPoints,
} from '../../energy/participants/index.ts'
import { searchProjects } from '../../energy/projects/index.ts'
import { searchUsers } from '../../identity/users/index.ts'
import { searchContents } from '../../site/content/index.ts'

/**
 * The searched kinds, in display order for equal scores. Portal users have no permission and get only the kinds marked
 * `portal`.
 */
type SearchSourceConfig = { find: SearchSource; needs?: Permission; portal?: true; large?: true }
const SEARCH_SOURCES: SearchSourceConfig[] = [
  { find: searchParticipants, needs: 'participants.read', large: true },
  { find: searchPoints, needs: 'participants.read', portal: true, large: true },
  { find: searchOperations, needs: 'operations.read' },
  { find: searchInvoices, needs: 'invoices.read', portal: true },
  { find: searchProjects, needs: 'projects.read' },
  { find: searchDocuments, needs: 'documents.read' },
  { find: searchCurveImports, needs: 'curves.import' },
  { find: searchDistributorFiles, needs: 'distributor-files.read' },
  { find: searchUsers, needs: 'users.read' },
  { find: searchContents, portal: true },
]

const PLACE_BY_KIND: Partial<Record<SearchKind, SearchHitLocator>> = {
  participant: addParticipantDetails,
  point: addPointDetails,
}

const listAllowedSources = (actor: Actor) =>
  SEARCH_SOURCES.filter(({ needs, portal }) =>
    actor.space === 'portal' ? portal : !needs || hasPermission(actor, needs),
  )

type ScoredHit = SearchMatch & { score: number }
const runSearches = async (
  db: Db,
  actor: Actor,
  sources: SearchSourceConfig[],
  look: (source: SearchSourceConfig) => SearchStrategy,
) => (await Promise.all(sources.map((source) => source.find(db, actor, look(source))))).flat()

/**
 * In large tables exact and fuzzy matches are searched in one query; elsewhere fuzzy matches only when there are few
 * exact ones.
 */
async function searchScored(db: Db, actor: Actor, words: readonly string[]): Promise<ScoredHit[]> {
  const [word = '', ...others] = words
  const mistyped = allowsTypos(words)
  const sources = listAllowedSources(actor)
  const [once, twice] =
    mistyped && !others.length
      ? [sources.filter(({ large }) => large), sources.filter(({ large }) => !large)]
      : [[], sources]
  const first = await runSearches(db, actor, sources, (source) =>
    once.includes(source) ? exactOrFuzzyMatch(word) : exactMatch(words),
  )
  const isExact = ({ text }: SearchMatch) => words.every((one) => text.includes(one))
  const exact = first.filter(isExact).map((one) => ({ ...one, score: scoreExactMatch(one.text, words) }))
  if (exact.length >= ENOUGH_EXACT_HITS || !mistyped) return exact
  const resembling = first.filter((one) => !isExact(one))
  return [
    ...exact,
    ...scoreFuzzyMatches([...resembling, ...(await runSearches(db, actor, twice, () => fuzzyMatch(words)))], words),
  ]
}

/** Same ranking as in SQL: the earlier a word begins with the query, the better. */
function scoreExactMatch(text: string, words: readonly string[]): number {
  const at = (word: string) => {
    const found = ` ${text}`.indexOf(` ${word}`)
    return found < 0 ? 1000 : found
  }
  return words.reduce((sum, word) => sum + at(word), 0)
}

/** Fuzzy matches rank below exact ones, and fewer typing errors rank higher. */
function scoreFuzzyMatches(found: SearchMatch[], words: readonly string[]): ScoredHit[] {
  const slipsIn = createTypoCounter(words)
  return found.flatMap((one) => {
    const count = slipsIn(one.text)
    return count ? [{ ...one, score: 10_000 + count }] : []
  })
}

/** The best hits of each kind, ordered by the best hit of the kind. */
function groupByKind(found: ScoredHit[]): { kind: SearchKind; hits: SearchHit[] }[] {
  const sorted = found.toSorted((a, b) => a.score - b.score)
  const kinds = [...new Set(sorted.map(({ kind }) => kind))]
  return kinds.map((kind) => ({ kind, hits: sorted.filter((one) => one.kind === kind).slice(0, MAX_HITS_PER_KIND) }))
}

/** Searches people, points, operations, invoices, projects, files and articles that the user may read. */
export async function searchEverything(db: Db, actor: Actor, q: string): Promise<SearchHit[]> {
  const words = parseSearchWords(q)
  if (words.join('').length < MIN_SEARCH_LENGTH) return []
  const groups = groupByKind(await searchScored(db, actor, words))
  return (await Promise.all(groups.map(({ kind, hits }) => PLACE_BY_KIND[kind]?.(db, actor, hits) ?? hits))).flat()
}
