import type { SearchHit } from '@voisol/contract/search'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../db/client.ts'
import type { Actor } from '../http/actor.ts'

/** What a feature finds of its own: within its own scope, best first, with the words that were compared. */
export type SearchMatch = SearchHit & { text: string }
export type SearchSource = (db: Db, actor: Actor, look: SearchStrategy) => Promise<SearchMatch[]>
/** What is only asked of the few that are shown: where they stand, and where that is opened. */
export type SearchHitLocator = (db: Db, actor: Actor, hits: SearchHit[]) => Promise<SearchHit[]>
/** How to look: the rows that may be meant, which of them hold the words as typed, the best of them first, and how many at most. */
export type SearchStrategy = {
  holds: TextCondition
  exact: TextCondition
  rank: TextCondition
  most: number
  limit?: SQL
}
type TextCondition = (text: SQL) => SQL

/** The generated column of the tables that have one (migrations 0014, 0018); it is read here alone, so their rows do without it. */
export const searchTextColumn = (table: PgTable) => sql<string>`${table}.search`

/** The same words as `search_key` of the database gives. */
export const toSearchKey = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replace(/[øłđ]/g, (letter) => ({ ø: 'o', ł: 'l', đ: 'd' })[letter] ?? letter)
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** From here on digits are one number, however they were spaced: a SIREN, a telephone, a PRM. */
const NUMBER = /^\d{9,}$/

export function parseSearchWords(q: string): string[] {
  const key = toSearchKey(q)
  const together = key.replaceAll(' ', '')
  return NUMBER.test(together) ? [together] : [...new Set(key.split(' ').filter(Boolean))]
}

/** As `like '%…%'` says it, in half its time: both are made of letters and digits alone, compared as bytes. */
export const containsWord = (text: SQL, word: string) => sql`strpos(${text}, ${word}) > 0`

/** At most as many of a kind as one reads at a glance, and fewer than this found as written makes slips worth looking for. */
export const MAX_HITS_PER_KIND = 6
export const ENOUGH_EXACT_HITS = 3
/** After every place at which a word may begin. */
const RANK_WITHIN_WORD = 1000

const joinWithAnd = (conditions: SQL[]) => sql.join(conditions, sql` and `)

/** The longest first: the fewest rows hold it, and what they do not hold is not compared further. */
const sortLongestFirst = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)

/** « rue », « des »: with such words a place is meant, and many live there. */
const SHORT_WORD_LENGTH = 4

/** Mostly they stand as they were typed: one look then finds them all, where each would need one of its own. */
function containsAllWords(text: SQL, words: readonly string[]): SQL {
  const [rarest = '', ...others] = sortLongestFirst(words)
  if (!others.length) return containsWord(text, rarest)
  const asTyped = sql`${text} like ${`%${words.filter((word) => word !== rarest).join('%')}%`}`
  const each = sql`${containsWord(text, rarest)} and (${asTyped} or ${joinWithAnd(others.map((word) => containsWord(text, word)))})`
  return words.some((word) => word.length < SHORT_WORD_LENGTH)
    ? sql`(${containsWord(text, words.join(' '))} or ${each})`
    : each
}

/** Of one word, where it begins a word before where it is only held, and the sooner the better. */
const wordStartRank = (text: SQL, word: string) =>
  sql`coalesce(nullif(position(${` ${word}`} in ' ' || ${text}), 0), ${RANK_WITHIN_WORD}::int)`

/**
 * Every word somewhere. The first one ranks. Several words may stand in every row, as a street's do: the place of the
 * first is then enough.
 */
export const exactMatch = (words: readonly string[]): SearchStrategy => {
  const [first = '', ...others] = words
  return {
    holds: (text) => containsAllWords(text, words),
    exact: () => sql`true`,
    rank: (text) => (others.length ? sql`strpos(${text}, ${first})` : wordStartRank(text, first)),
    most: MAX_HITS_PER_KIND,
  }
}

/** How many of what was found, where that depends on it. The builder writes any expression; its type names only numbers. */
export const getRowLimit = ({ most, limit }: SearchStrategy) => (limit ?? most) as number
