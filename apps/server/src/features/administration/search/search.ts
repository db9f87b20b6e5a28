import { can, type Permission } from '@voisol/contract/permissions'
import { LEAST_SEARCHED, type SearchHit, type SearchKind } from '@voisol/contract/search'
import { mayDiffer, nearly, slipsOf } from '../../../core/near.ts'
import { type Found, type Look, type Place, type Source, searchedWords, strictly } from '../../../core/search.ts'
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
const SOURCES: { find: Source; needs?: Permission; portal?: true }[] = [
  { find: searchParticipants, needs: 'participants.read' },
  { find: searchPoints, needs: 'participants.read', portal: true },
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

/** At most as many of a kind as one reads at a glance, and fewer than this found as written makes slips worth looking for. */
const OF_A_KIND = 6
const FEW = 3

type Scored = Found & { score: number }
const ask = async (db: Db, actor: Actor, look: Look) =>
  (await Promise.all(open(actor).map(({ find }) => find(db, actor, look)))).flat()

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
  return kinds.map((kind) => ({ kind, hits: sorted.filter((one) => one.kind === kind).slice(0, OF_A_KIND) }))
}

/** People, points, operations, invoices, projects, files, articles that somebody may read, by a few letters of theirs. */
export async function searchEverything(db: Db, actor: Actor, q: string): Promise<SearchHit[]> {
  const words = searchedWords(q)
  if (words.join('').length < LEAST_SEARCHED) return []
  const exact = (await ask(db, actor, strictly(words))).map((one) => ({ ...one, score: placeOf(one.text, words) }))
  const near = exact.length < FEW && mayDiffer(words) ? nearOf(await ask(db, actor, nearly(words)), words) : []
  const groups = inGroups([...exact, ...near])
  return (await Promise.all(groups.map(({ kind, hits }) => PLACES[kind]?.(db, actor, hits) ?? hits))).flat()
}
