import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import {
  allowsTypos,
  computeEditDistance,
  createTypoCounter,
  exactMatch,
  exactOrFuzzyMatch,
  fuzzyMatch,
  getMaxTypos,
  parseSearchWords,
  type SearchStrategy,
  splitForTypos,
  toSearchKey,
} from './search.ts'

const server = useServer()
const countTypos = (text: string, words: string[]) => createTypoCounter(words)(text)

test('server and database split a text into the same words', async () => {
  const texts = [
    'Éloïse d’Harcourt-Lemaître',
    'CŒUR d’Île, bâtiment B',
    'jeanne.martin@exemple.fr',
    'Łukasz Sørensen, Weiß',
    '  3 bis,\tallée des Érables ',
    'ACC00000537',
    '«»',
  ]
  for (const text of texts) {
    const { rows } = await server.db.execute<{ key: string }>(sql`select search_key(${text}) as key`)
    expect([text, rows[0]?.key]).toEqual([text, toSearchKey(text)])
  }
  expect(toSearchKey('Éloïse d’Harcourt')).toBe('eloise d harcourt')
  expect(toSearchKey('Cœur')).toBe('coeur')
})

test('digits with spaces form one number; short ones stay words', () => {
  expect(parseSearchWords('300 012 345 678 90')).toEqual(['30001234567890'])
  expect(parseSearchWords('12 69003')).toEqual(['12', '69003'])
  expect(parseSearchWords('Martin  martin')).toEqual(['martin'])
  expect(parseSearchWords('%_')).toEqual([])
})

const matches = async (look: SearchStrategy, text: string) => {
  const { rows } = await server.db.execute<{ held: boolean }>(sql`select ${look.holds(sql`${text}::text`)} as held`)
  return rows[0]?.held
}

test.each([
  ['rue des erables', true],
  ['erables rue', true],
  ['des lyon 7', true],
  ['rue des ponts', false],
  ['quai erables', false],
  ['rue des tilleuls', false],
  ['lyon villeurbanne', false],
])('every word of « %s » is found, in any order: %s', async (q, held) => {
  const text = 'eloise lefevre 7 rue des erables lyon'
  expect(await matches(exactMatch(parseSearchWords(q)), text)).toBe(held)
  expect(await matches(fuzzyMatch(parseSearchWords(q)), text)).toBe(held)
})

/** As a search source does: reads the matches, and the best of them. */
async function readAtOnce(word: string, texts: string[]) {
  const { holds, exact, rank, limit } = exactOrFuzzyMatch(word)
  const text = sql`known.text`
  const { rows } = await server.db.execute<{ text: string }>(sql`
    with known as (select unnest(${sql.param(texts)}::text[]) as text),
    found as (select text, ${exact(text)} as exact, ${rank(text)} as place from known where ${holds(text)})
    select text from found order by exact desc, place, text limit ${limit}`)
  return rows.map((row) => row.text)
}

test('one read finds exact matches; fuzzy ones are read only with fewer than three', async () => {
  const holding = ['camille moreau', 'moreau', 'rue du moreau', 'lamoreau', 'ana moreau', 'b moreau', 'c moreau']
  const resembling = ['moraeu', 'morel', 'gateau moreu', 'rouleau', 'eaux vives', 'amorce', 'tableau']
  const others = ['zoe petit', 'quai des arts']
  expect(await readAtOnce('moreau', [...resembling, ...others, ...holding.slice(0, 2)])).toEqual([
    'moreau',
    'camille moreau',
    ...resembling.toSorted(),
  ])
  expect(await readAtOnce('moreau', [...others, ...resembling, ...holding])).toEqual([
    'moreau',
    'b moreau',
    'c moreau',
    'ana moreau',
    'rue du moreau',
    'camille moreau',
  ])
})

test('a fuzzy search is skipped for numbers and short words alone', () => {
  expect(
    ['30000000004217', '12 bis', 'rue', 'rue 4217', 'lefvre', 'lefvre 4217'].map((q) =>
      allowsTypos(parseSearchWords(q)),
    ),
  ).toEqual([false, false, false, false, true, true])
})

describe('typos', () => {
  test('are tolerated by length, and never in numbers', () => {
    expect(['bob', 'anne', 'lefevre', 'lefebvre', '30001234'].map(getMaxTypos)).toEqual([0, 1, 1, 2, 0])
  })

  test.each([
    ['dupont', 'dupont', 0],
    ['dupnt', 'dupont', 1],
    ['dupoont', 'dupont', 1],
    ['dupomt', 'dupont', 1],
    ['dupnot', 'dupont', 1],
    ['duopnt', 'dupont', 1],
    ['marchn', 'marchand', 1],
    ['durand', 'dupont', 3],
  ])('%s against %s: %i', (word, other, count) => {
    expect(computeEditDistance(word, other)).toBe(count)
  })

  test('every word with one typo still contains a part, so that the database finds it', () => {
    const word = 'lefevre'
    const typed = [...word].flatMap((_, at) => [
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}x${word.slice(at + 1)}`,
      `${word.slice(0, at)}x${word.slice(at)}`,
      word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2),
    ])
    expect(typed.filter((one) => !splitForTypos(one).some((part) => word.includes(part)))).toEqual([])
    expect(typed.filter((one) => countTypos(`jeanne ${word} lyon`, [one]) === undefined)).toEqual([])
  })

  test('each word must be found', () => {
    expect(countTypos('jeanne lefevre lyon', ['jeane', 'lefevre'])).toBe(1)
    expect(countTypos('jeanne lefevre lyon', ['jeane', 'durand'])).toBeUndefined()
    expect(countTypos('jeanne lefevre 69003', ['jeane', '69003'])).toBe(1)
    expect(countTypos('jeanne lefevre 69003', ['jeane', '69004'])).toBeUndefined()
  })

  test('a word shared by many rows is compared once', () => {
    const compared: string[] = []
    const count = createTypoCounter(['lefvre'], (word, other) => {
      compared.push(other)
      return computeEditDistance(word, other)
    })
    const rows = Array.from({ length: 317 }, (_, n) => `${n % 2 ? 'eloise' : 'noe'} lefevre ${n} lyon`)
    expect(rows.filter((row) => count(row) !== 1)).toEqual([])
    expect(compared).toEqual(['lefevre'])
  })
})
