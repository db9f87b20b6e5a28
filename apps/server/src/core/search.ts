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
const containsWord = (text: SQL, word: string) => sql`strpos(${text}, ${word}) > 0`

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

/**
 * Digits get no tolerance: another PRM belongs to somebody else. Short words are one letter away from too many others.
 */
export const getMaxTypos = (word: string) => (/\d/.test(word) || word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/**
 * Parts of which at least one survives that many typos: the word is cut into one part more than the typos allowed. Two
 * swapped letters across the only cut break both parts, which is accepted.
 */
export function splitForTypos(word: string): string[] {
  const count = getMaxTypos(word) + 1
  if (count === 1) return [word]
  const at = (n: number) => Math.floor((word.length * n) / count)
  const parts = Array.from({ length: count }, (_, n) => word.slice(at(n), at(n + 1)))
  if (count > 2) return parts
  const cut = at(1)
  return [...parts, word.slice(0, cut - 1) + word.charAt(cut) + word.charAt(cut - 1) + word.slice(cut + 1)]
}

/** More candidates than this are not a useful answer. */
const MAX_FUZZY_CANDIDATES = 2500

/** Numbers must match exactly and leave the fewest rows; then the parts of the longest words. */
const sortRarestFirst = (words: readonly string[]) =>
  words.toSorted((a, b) => splitForTypos(a).length - splitForTypos(b).length || b.length - a.length)

/** Whether a fuzzy search could find more than an exact one. */
export const allowsTypos = (words: readonly string[]) => words.some((word) => getMaxTypos(word) > 0)

/** Rows that may contain the words with typos; `createTypoCounter` tells which of them do. */
export const fuzzyMatch = (words: readonly string[]): SearchStrategy => {
  const one = (text: SQL, word: string) =>
    sql`(${sql.join(
      splitForTypos(word).map((part) => containsWord(text, part)),
      sql` or `,
    )})`
  return {
    holds: (text) =>
      sql.join(
        sortRarestFirst(words).map((word) => one(text, word)),
        sql` and `,
      ),
    exact: () => sql`false`,
    rank: () => sql`null::int`,
    most: MAX_FUZZY_CANDIDATES,
  }
}

/**
 * One read of a large table, whose rows the source calls `found`: exact matches first, and fuzzy ones only where there
 * are too few. A row that contains the word contains its parts.
 */
export const exactOrFuzzyMatch = (word: string): SearchStrategy => {
  const asTyped = exactMatch([word])
  return {
    holds: fuzzyMatch([word]).holds,
    exact: asTyped.holds,
    rank: (text) => sql`case when ${asTyped.holds(text)} then ${asTyped.rank(text)} end`,
    most: MAX_FUZZY_CANDIDATES,
    limit: sql`(select case when count(*) filter (where exact) < ${ENOUGH_EXACT_HITS}::int then ${MAX_FUZZY_CANDIDATES}::int else ${MAX_HITS_PER_KIND}::int end from found)`,
  }
}

/**
 * Letters wrong, missing, added or swapped between a word and the beginning of another, since typing may be unfinished.
 * Optimal string alignment, one row of the table at a time.
 */
export function computeEditDistance(word: string, other: string): number {
  const width = Math.min(other.length, word.length + getMaxTypos(word)) + 1
  let before: number[] = []
  let last = Array.from({ length: width }, (_, j) => j)
  for (let i = 1; i <= word.length; i++) {
    const row = [i]
    for (let j = 1; j < width; j++) {
      const same = word[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return Math.min(...last)
}

/** The number of typos of one word against a text. Similar rows share words, so each distinct word is compared once. */
function createNearestDistance(
  word: string,
  compare: typeof computeEditDistance,
): (others: readonly string[]) => number {
  const allowed = getMaxTypos(word)
  const parts = splitForTypos(word)
  const known = new Map<string, number>()
  const measureDistance = (other: string) => {
    if (!parts.some((part) => other.includes(part))) return allowed + 1
    return allowed ? compare(word, other) : 0
  }
  const of = (other: string) => {
    const count = known.get(other) ?? measureDistance(other)
    known.set(other, count)
    return count
  }
  return (others) => others.reduce((least, other) => Math.min(least, of(other)), allowed + 1)
}

/** The total number of typos of all words against a text; undefined where a word has more than allowed. */
export function createTypoCounter(
  words: readonly string[],
  compare = computeEditDistance,
): (text: string) => number | undefined {
  const all = words.map((word) => ({ allowed: getMaxTypos(word), leastIn: createNearestDistance(word, compare) }))
  return (text) => {
    const others = text.split(' ')
    let sum = 0
    for (const { allowed, leastIn } of all) {
      const least = leastIn(others)
      if (least > allowed) return undefined
      sum += least
    }
    return sum
  }
}
