import type { Suggestion } from '@voisol/contract/content'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { computeEditDistance, getMaxTypos, toSearchKey } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { isPublished } from './published-content.ts'
import { getContentPath } from './stored-content.ts'

/** What answers a question; more words than this say nothing more. */
const SUGGESTED_KINDS: Suggestion['kind'][] = ['faq', 'guide']
const MAX_QUERY_WORDS = 12
const MIN_WORD_LENGTH = 3
/** Words that open and close every letter, and those that the database's own list leaves out or knows with an accent alone. */
const STOP_WORDS = new Set(
  'les cet cette meme ete etait etes est sont avez avons peut comme plus tres fait faire bonjour bonsoir merci cordialement svp madame monsieur voila comment pourquoi combien quand comprends'.split(
    ' ',
  ),
)
const isSuggestable = and(isPublished, inArray(contents.kind, SUGGESTED_KINDS))
const searchVector = sql`${contents}.search_words`
const FRENCH_CONFIG = sql.raw("'pg_catalog.french'")

/** As it is typed, unfinished: the language cuts its ending off, and knows which words say nothing. */
const toPrefixQuery = (word: string) => sql`to_tsquery(${FRENCH_CONFIG}, ${`${word}:*`})`
const toLexemeQuery = (word: string) => sql`${`'${word}':*`}::tsquery`

/** Of the words that mean something, whether any text holds them. */
async function findKnownWords(db: Db, asked: string[]): Promise<{ word: string; found: boolean }[]> {
  const { rows } = await db.execute<{ word: string; found: boolean }>(sql`
    select w.word, exists (select 1 from ${contents} where ${isSuggestable} and ${searchVector} @@ q.query) as found
      from unnest(${sql.param(asked)}::text[]) with ordinality w(word, at)
      cross join lateral (select to_tsquery(${FRENCH_CONFIG}, w.word || ':*') as query) q
     where numnode(q.query) > 0 order by w.at`)
  return rows
}

/** A word is kept without its ending: a slip is looked for in what may be left of it. */
const listStems = (word: string) =>
  Array.from({ length: Math.floor(word.length / 3) + 1 }, (_, cut) => word.slice(0, word.length - cut)).filter(
    ({ length }) => length > 3,
  )

/** The word of the texts that is meant, where one is near enough. */
export function findNearestWord(word: string, vocabulary: readonly string[]): string | undefined {
  let best: { slips: number; word: string } | undefined
  for (const other of vocabulary)
    for (const stem of listStems(word)) {
      const count = computeEditDistance(stem, other)
      if (count <= getMaxTypos(word) && (!best || count < best.slips)) best = { slips: count, word: other }
    }
  return best?.word
}

async function loadVocabulary(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ word: string }>(
    sql`select distinct unnest(tsvector_to_array(${searchVector})) as word from ${contents} where ${isSuggestable}`,
  )
  return rows.map(({ word }) => word).filter((word) => /^[a-z]{3,}$/.test(word))
}

async function buildQueries(db: Db, q: string): Promise<SQL[]> {
  const asked = [...new Set(toSearchKey(q).split(' '))]
    .filter((word) => word.length >= MIN_WORD_LENGTH && !STOP_WORDS.has(word))
    .slice(0, MAX_QUERY_WORDS)
  if (!asked.length) return []
  const looked = await findKnownWords(db, asked)
  const missed = looked.some(({ found }) => !found) ? await loadVocabulary(db) : []
  return looked.flatMap(({ word, found }) => {
    if (found) return [toPrefixQuery(word)]
    const near = findNearestWord(word, missed)
    return near ? [toLexemeQuery(near)] : []
  })
}

const liveField = (name: string) => sql<string>`coalesce(${contents.live}->>${sql.raw(`'${name}'`)}, '')`

/** A long text holds nearly every word: one of a title says more than three of a text. */
const buildScore = (
  query: SQL,
) => sql`(${searchVector} @@ ${query})::int + 2 * (ts_filter(${searchVector}, '{a,b}') @@ ${query})::int
  + 4 * (ts_filter(${searchVector}, '{a}') @@ ${query})::int`

/** Those that hold most of the words, the ones that hold them in their title first. */
export async function suggestContents(db: Db, { q, size }: { q: string; size: number }): Promise<Suggestion[]> {
  const queries = await buildQueries(db, q)
  if (!queries.length) return []
  const any = sql.join(queries, sql` || `)
  const score = sql.join(queries.map(buildScore), sql` + `)
  const rows = await db
    .select({
      kind: sql<Suggestion['kind']>`${contents.kind}`,
      slug: contents.slug,
      title: liveField('title'),
      summary: liveField('summary'),
      category: liveField('category'),
    })
    .from(contents)
    .where(and(isSuggestable, sql`${searchVector} @@ (${any})`))
    .orderBy(sql`${score} desc`, sql`ts_rank(${searchVector}, ${any}) desc`, contents.slug)
    .limit(size)
  return rows.map(({ category, ...row }) => ({ ...row, path: getContentPath(row.kind, category, row.slug) }))
}
