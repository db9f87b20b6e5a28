import { can, type Permission } from '@voisol/contract/permissions'
import { LEAST_SEARCHED, type SearchHit, type SearchKind } from '@voisol/contract/search'
import { atOnce, mayDiffer, nearly, slipsOf } from '../../../core/near.ts'
import {
  FEW,
  type Found,
  type Look,
  MOST,
  type Place,
  type Source,
  searchedWords,
  strictly,
} from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { searchDistributorFiles } from '../../distributor/distributor-files/distributor-files.ts'
import { searchImports } from '../../energy/curves/curves.ts'
import { searchDocuments } from '../../energy/documents/documents.ts'
import { searchOperations } from '../../energy/operations/operations.ts'
import {
  placeParticipants,
  placePoints,
  searchParticipants,
  searchPoints,
} from '../../energy/participants/participants.ts'
import { searchProjects } from '../../energy/projects/projects.ts'
import { searchInvoices } from '../../money/invoices/invoices.ts'
import { searchUsers } from '../../people/users/users.ts'
import { searchContents } from '../../site/content/content.ts'

/** What is searched, in the order of groups that match alike; each keeps to its own scope. The portal holds no right: it sees what is marked. */
type Searched = { find: Source; needs?: Permission; portal?: true; large?: true }
const SOURCES: Searched[] = [
  { find: searchParticipants, needs: 'participants.read', large: true },
  { find: searchPoints, needs: 'participants.read', portal: true, large: true },
  { find: searchOperations, needs: 'operations.read' },
  { find: searchInvoices, needs: 'invoices.read', portal: true },
  { find: searchProjects, needs: 'projects.read' },
  { find: searchDocuments, needs: 'documents.read' },
  { find: searchImports, needs: 'curves.import' },
  { find: searchDistributorFiles, needs: 'distributor-files.read' },
  { find: searchUsers, needs: 'users.read' },
  { find: searchContents, portal: true },
]

const PLACES: Partial<Record<SearchKind, Place>> = { participant: placeParticipants, point: placePoints }

const open = (actor: Actor) =>
  SOURCES.filter(({ needs, portal }) => (actor.space === 'portal' ? portal : !needs || can(actor, needs)))

type Scored = Found & { score: number }
const ask = async (db: Db, actor: Actor, sources: Searched[], look: (source: Searched) => Look) =>
  (await Promise.all(sources.map((source) => source.find(db, actor, look(source))))).flat()

/** A word that may be mistyped is looked for in what is large once, as written and with slips; elsewhere with slips only when little was found. */
async function askFor(db: Db, actor: Actor, words: readonly string[]): Promise<Scored[]> {
  const [word = '', ...others] = words
  const mistyped = mayDiffer(words)
  const sources = open(actor)
  const [once, twice] =
    mistyped && !others.length
      ? [sources.filter(({ large }) => large), sources.filter(({ large }) => !large)]
      : [[], sources]
  const first = await ask(db, actor, sources, (source) => (once.includes(source) ? atOnce(word) : strictly(words)))
  const isExact = ({ text }: Found) => words.every((one) => text.includes(one))
  const exact = first.filter(isExact).map((one) => ({ ...one, score: placeOf(one.text, words) }))
  if (exact.length >= FEW || !mistyped) return exact
  const resembling = first.filter((one) => !isExact(one))
  return [...exact, ...nearOf([...resembling, ...(await ask(db, actor, twice, () => nearly(words)))], words)]
}

/** As the database ranks: where the words begin, the sooner the better. */
function placeOf(text: string, words: readonly string[]): number {
  const at = (word: string) => {
    const found = ` ${text}`.indexOf(` ${word}`)
    return found < 0 ? 1000 : found
  }
  return words.reduce((sum, word) => sum + at(word), 0)
}

/** Slips come after what was found as written, and the fewer the better. */
function nearOf(found: Found[], words: readonly string[]): Scored[] {
  const slipsIn = slipsOf(words)
  return found.flatMap((one) => {
    const count = slipsIn(one.text)
    return count ? [{ ...one, score: 10_000 + count }] : []
  })
}

/** The best of each kind, the kind with the best first. */
function inGroups(found: Scored[]): { kind: SearchKind; hits: SearchHit[] }[] {
  const sorted = found.toSorted((a, b) => a.score - b.score)
  const kinds = [...new Set(sorted.map(({ kind }) => kind))]
  return kinds.map((kind) => ({ kind, hits: sorted.filter((one) => one.kind === kind).slice(0, MOST) }))
}

/** People, points, operations, invoices, projects, files, articles that somebody may read, by a few letters of theirs. */
export async function searchEverything(db: Db, actor: Actor, q: string): Promise<SearchHit[]> {
  const words = searchedWords(q)
  if (words.join('').length < LEAST_SEARCHED) return []
  const groups = inGroups(await askFor(db, actor, words))
  return (await Promise.all(groups.map(({ kind, hits }) => PLACES[kind]?.(db, actor, hits) ?? hits))).flat()
}
