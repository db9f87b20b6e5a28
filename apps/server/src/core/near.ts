import { type SQL, sql } from 'drizzle-orm'
import { FEW, held, type Look, MOST, strictly } from './search.ts'

/** Digits are never guessed at: another PRM is somebody else's. Short words are one letter away from everything. */
export const forgiven = (word: string) => (/\d/.test(word) || word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/**
 * What a word with that many slips still holds: cut in one part more than slips, one part is whole. Two letters that
 * changed places over the only cut leave none: that word is written out.
 */
export function partsOf(word: string): string[] {
  const count = forgiven(word) + 1
  if (count === 1) return [word]
  const at = (n: number) => Math.floor((word.length * n) / count)
  const parts = Array.from({ length: count }, (_, n) => word.slice(at(n), at(n + 1)))
  if (count > 2) return parts
  const cut = at(1)
  return [...parts, word.slice(0, cut - 1) + word.charAt(cut) + word.charAt(cut - 1) + word.slice(cut + 1)]
}

/** More than this many that resemble are no answer. */
const CANDIDATES = 2500

/** A number that must be there as it is leaves fewer rows than parts of a word, and a long word's fewer than a short one's. */
const rarestFirst = (words: readonly string[]) =>
  words.toSorted((a, b) => partsOf(a).length - partsOf(b).length || b.length - a.length)

/** Whether looking for slips could find what looking for the words did not. */
export const mayDiffer = (words: readonly string[]) => words.some((word) => forgiven(word) > 0)

/** Rows that may hold the words with slips; `slipsOf` tells which of them do. */
export const nearly = (words: readonly string[]): Look => {
  const one = (text: SQL, word: string) =>
    sql`(${sql.join(
      partsOf(word).map((part) => held(text, part)),
      sql` or `,
    )})`
  return {
    holds: (text) =>
      sql.join(
        rarestFirst(words).map((word) => one(text, word)),
        sql` and `,
      ),
    exact: () => sql`false`,
    rank: () => sql`null::int`,
    most: CANDIDATES,
  }
}

/**
 * Both from one reading of a table of thousands, whose rows the source calls `found`: those that hold the word first,
 * and those that resemble it only where too few do. Whoever holds a word holds its parts.
 */
export const atOnce = (word: string): Look => {
  const asTyped = strictly([word])
  return {
    holds: nearly([word]).holds,
    exact: asTyped.holds,
    rank: (text) => sql`case when ${asTyped.holds(text)} then ${asTyped.rank(text)} end`,
    most: CANDIDATES,
    limit: sql`(select case when count(*) filter (where exact) < ${FEW}::int then ${CANDIDATES}::int else ${MOST}::int end from found)`,
  }
}

/**
 * Letters wrong, missing, added or changed places between a word and the beginning of another: what is typed may be
 * unfinished. Optimal string alignment, one row of the table at a time.
 */
export function slips(word: string, other: string): number {
  const width = Math.min(other.length, word.length + forgiven(word)) + 1
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

/** The slips of one word against a text. Rows that resemble share their words: each of these is compared once. */
function nearest(word: string, compare: typeof slips): (others: readonly string[]) => number {
  const allowed = forgiven(word)
  const parts = partsOf(word)
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

/** The slips of all the words against a text, where each is forgiven; undefined where one is not. */
export function slipsOf(words: readonly string[], compare = slips): (text: string) => number | undefined {
  const all = words.map((word) => ({ allowed: forgiven(word), leastIn: nearest(word, compare) }))
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
