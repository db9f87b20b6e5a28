import { type SQL, sql } from 'drizzle-orm'
import { containsWord, ENOUGH_EXACT_HITS, exactMatch, MAX_HITS_PER_KIND, type SearchStrategy } from './search.ts'

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
  const measured = (other: string) => {
    if (!parts.some((part) => other.includes(part))) return allowed + 1
    return allowed ? compare(word, other) : 0
  }
  const of = (other: string) => {
    const count = known.get(other) ?? measured(other)
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
