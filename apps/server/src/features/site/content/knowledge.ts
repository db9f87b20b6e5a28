import type { Suggestion } from '@voisol/contract/content'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { forgiven, slips } from '../../../core/near.ts'
import { searchKey } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { contents } from '../../../db/schema/index.ts'
import { addressOf } from './address.ts'
import { isShown } from './published.ts'

/** What answers a question; more words than this say nothing more. */
const KINDS: Suggestion['kind'][] = ['faq', 'guide']
const MOST_WORDS = 12
const LEAST_LETTERS = 3
/** Words that open and close every letter, and those that the database's own list leaves out or knows with an accent alone. */
const SAYS_NOTHING = new Set(
  'les cet cette meme ete etait etes est sont avez avons peut comme plus tres fait faire bonjour bonsoir merci cordialement svp madame monsieur voila comment pourquoi combien quand comprends'.split(
    ' ',
  ),
)
const readable = and(isShown, inArray(contents.kind, KINDS))
const words = sql`${contents}.search_words`
const FRENCH = sql.raw("'pg_catalog.french'")

/** As it is typed, unfinished: the language cuts its ending off, and knows which words say nothing. */
const typed = (word: string) => sql`to_tsquery(${FRENCH}, ${`${word}:*`})`
const lexeme = (word: string) => sql`${`'${word}':*`}::tsquery`

/** Of the words that mean something, whether any text holds them. */
async function look(db: Db, asked: string[]): Promise<{ word: string; found: boolean }[]> {
  const { rows } = await db.execute<{ word: string; found: boolean }>(sql`
    select w.word, exists (select 1 from ${contents} where ${readable} and ${words} @@ q.query) as found
      from unnest(${sql.param(asked)}::text[]) with ordinality w(word, at)
      cross join lateral (select to_tsquery(${FRENCH}, w.word || ':*') as query) q
     where numnode(q.query) > 0 order by w.at`)
  return rows
}

/** A word is kept without its ending: a slip is looked for in what may be left of it. */
const stems = (word: string) =>
  Array.from({ length: Math.floor(word.length / 3) + 1 }, (_, cut) => word.slice(0, word.length - cut)).filter(
    ({ length }) => length > 3,
  )

/** The word of the texts that is meant, where one is near enough. */
export function nearestTo(word: string, vocabulary: readonly string[]): string | undefined {
  let best: { slips: number; word: string } | undefined
  for (const other of vocabulary)
    for (const stem of stems(word)) {
      const count = slips(stem, other)
      if (count <= forgiven(word) && (!best || count < best.slips)) best = { slips: count, word: other }
    }
  return best?.word
}

async function vocabularyOf(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ word: string }>(
    sql`select distinct unnest(tsvector_to_array(${words})) as word from ${contents} where ${readable}`,
  )
  return rows.map(({ word }) => word).filter((word) => /^[a-z]{3,}$/.test(word))
}

async function queriesFor(db: Db, q: string): Promise<SQL[]> {
  const asked = [...new Set(searchKey(q).split(' '))]
    .filter((word) => word.length >= LEAST_LETTERS && !SAYS_NOTHING.has(word))
    .slice(0, MOST_WORDS)
  if (!asked.length) return []
  const looked = await look(db, asked)
  const missed = looked.some(({ found }) => !found) ? await vocabularyOf(db) : []
  return looked.flatMap(({ word, found }) => {
    if (found) return [typed(word)]
    const near = nearestTo(word, missed)
    return near ? [lexeme(near)] : []
  })
}

const part = (name: string) => sql<string>`coalesce(${contents.live}->>${sql.raw(`'${name}'`)}, '')`

/** A long text holds nearly every word: one of a title says more than three of a text. */
const scoreOf = (query: SQL) => sql`(${words} @@ ${query})::int + 2 * (ts_filter(${words}, '{a,b}') @@ ${query})::int
  + 4 * (ts_filter(${words}, '{a}') @@ ${query})::int`

/** Those that hold most of the words, the ones that hold them in their title first. */
export async function suggest(db: Db, { q, size }: { q: string; size: number }): Promise<Suggestion[]> {
  const queries = await queriesFor(db, q)
  if (!queries.length) return []
  const any = sql.join(queries, sql` || `)
  const score = sql.join(queries.map(scoreOf), sql` + `)
  const rows = await db
    .select({
      kind: sql<Suggestion['kind']>`${contents.kind}`,
      slug: contents.slug,
      title: part('title'),
      summary: part('summary'),
      category: part('category'),
    })
    .from(contents)
    .where(and(readable, sql`${words} @@ (${any})`))
    .orderBy(sql`${score} desc`, sql`ts_rank(${words}, ${any}) desc`, contents.slug)
    .limit(size)
  return rows.map(({ category, ...row }) => ({ ...row, path: addressOf(row.kind, category, row.slug) }))
}
