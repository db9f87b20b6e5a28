import type { SearchHit } from '@voisol/contract/search'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../db/client.ts'
import type { Actor } from '../http/actor.ts'

/** A match within one feature, in its own scope, best first, with the compared text. */
export type SearchMatch = SearchHit & { text: string }
export type SearchSource = (db: Db, actor: Actor, look: SearchStrategy) => Promise<SearchMatch[]>
/** Details loaded only for displayed matches: location, and the screen to open. */
export type SearchHitLocator = (db: Db, actor: Actor, hits: SearchHit[]) => Promise<SearchHit[]>
/** How to search: candidate rows, which of them match exactly, their order, and the limit. */
export type SearchStrategy = {
  holds: TextCondition
  exact: TextCondition
  rank: TextCondition
  most: number
  limit?: SQL
}
type TextCondition = (text: SQL) => SQL

/**
 * The generated search column of the tables that have one (migrations 0014, 0018); only read here, so it is not in
 * their Drizzle rows.
 */
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

/** At least so many digits form one number, with or without spaces: a SIREN, a telephone, a PRM. */
const NUMBER = /^\d{9,}$/

export function parseSearchWords(q: string): string[] {
  const key = toSearchKey(q)
  const together = key.replaceAll(' ', '')
  return NUMBER.test(together) ? [together] : [...new Set(key.split(' ').filter(Boolean))]
}

/** Equivalent to `like '%…%'` in half the time: both sides contain only letters and digits, compared as bytes. */
export const containsWord = (text: SQL, word: string) => sql`strpos(${text}, ${word}) > 0`

/** As many of a kind as fit at a glance; with fewer exact matches than this, a fuzzy search is worth it. */
export const MAX_HITS_PER_KIND = 6
export const ENOUGH_EXACT_HITS = 3
/** Ranks after every position at which a word may begin. */
const RANK_WITHIN_WORD = 1000

const joinWithAnd = (conditions: SQL[]) => sql.join(conditions, sql` and `)

/** The longest first: it leaves the fewest rows for the other words. */
const sortLongestFirst = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)

/** Words such as « rue » or « des » suggest an address, shared by many rows. */
const SHORT_WORD_LENGTH = 4

/** Mostly the words occur as typed: one test then finds them all, instead of one each. */
function containsAllWords(text: SQL, words: readonly string[]): SQL {
  const [rarest = '', ...others] = sortLongestFirst(words)
  if (!others.length) return containsWord(text, rarest)
  const asTyped = sql`${text} like ${`%${words.filter((word) => word !== rarest).join('%')}%`}`
  const each = sql`${containsWord(text, rarest)} and (${asTyped} or ${joinWithAnd(others.map((word) => containsWord(text, word)))})`
  return words.some((word) => word.length < SHORT_WORD_LENGTH)
    ? sql`(${containsWord(text, words.join(' '))} or ${each})`
    : each
}

/** For one word: rows in which it starts a word come first, the earlier the better. */
const wordStartRank = (text: SQL, word: string) =>
  sql`coalesce(nullif(position(${` ${word}`} in ' ' || ${text}), 0), ${RANK_WITHIN_WORD}::int)`

/**
 * Every word must occur. The first one gives the rank, which is enough, since all rows may contain the others (a
 * street).
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

/** The row limit, which may be an expression; the type of the builder names only numbers. */
export const getRowLimit = ({ most, limit }: SearchStrategy) => (limit ?? most) as number
