import type { SearchHit } from '@voisol/contract/search'
import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../db/client.ts'
import type { Actor } from '../http/actor.ts'

/** What a feature finds of its own: within its own scope, best first, with the words that were compared. */
export type Found = SearchHit & { text: string }
export type Source = (db: Db, actor: Actor, look: Look) => Promise<Found[]>
/** What is only asked of the few that are shown: where they stand, and where that is opened. */
export type Place = (db: Db, actor: Actor, hits: SearchHit[]) => Promise<SearchHit[]>
/** How to look: the rows that may be meant, which of them hold the words as typed, the best of them first, and how many at most. */
export type Look = { holds: Told; exact: Told; rank: Told; most: number; limit?: SQL }
type Told = (text: SQL) => SQL

/** The generated column of the tables that have one (migrations 0014, 0018); it is read here alone, so their rows do without it. */
export const textOf = (table: PgTable) => sql<string>`${table}.search`

/** The same words as `search_key` of the database gives. */
export const searchKey = (text: string) =>
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

export function searchedWords(q: string): string[] {
  const key = searchKey(q)
  const together = key.replaceAll(' ', '')
  return NUMBER.test(together) ? [together] : [...new Set(key.split(' ').filter(Boolean))]
}

/** As `like '%…%'` says it, in half its time: both are made of letters and digits alone, compared as bytes. */
export const held = (text: SQL, word: string) => sql`strpos(${text}, ${word}) > 0`

/** At most as many of a kind as one reads at a glance, and fewer than this found as written makes slips worth looking for. */
export const MOST = 6
export const FEW = 3
/** After every place at which a word may begin. */
const WITHIN = 1000

const both = (conditions: SQL[]) => sql.join(conditions, sql` and `)

/** The longest first: the fewest rows hold it, and what they do not hold is not compared further. */
const rarestFirst = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)

/** « rue », « des »: with such words a place is meant, and many live there. */
const LITTLE = 4

/** Mostly they stand as they were typed: one look then finds them all, where each would need one of its own. */
function allHeld(text: SQL, words: readonly string[]): SQL {
  const [rarest = '', ...others] = rarestFirst(words)
  if (!others.length) return held(text, rarest)
  const asTyped = sql`${text} like ${`%${words.filter((word) => word !== rarest).join('%')}%`}`
  const each = sql`${held(text, rarest)} and (${asTyped} or ${both(others.map((word) => held(text, word)))})`
  return words.some((word) => word.length < LITTLE) ? sql`(${held(text, words.join(' '))} or ${each})` : each
}

/** Of one word, where it begins a word before where it is only held, and the sooner the better. */
const beginning = (text: SQL, word: string) =>
  sql`coalesce(nullif(position(${` ${word}`} in ' ' || ${text}), 0), ${WITHIN}::int)`

/**
 * Every word somewhere. The first one ranks. Several words may stand in every row, as a street's do: the place of the
 * first is then enough.
 */
export const strictly = (words: readonly string[]): Look => {
  const [first = '', ...others] = words
  return {
    holds: (text) => allHeld(text, words),
    exact: () => sql`true`,
    rank: (text) => (others.length ? sql`strpos(${text}, ${first})` : beginning(text, first)),
    most: MOST,
  }
}

/** How many of what was found, where that depends on it. The builder writes any expression; its type names only numbers. */
export const mostOf = ({ most, limit }: Look) => (limit ?? most) as number
