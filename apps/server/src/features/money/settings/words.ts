import { SETTINGS, type SettingName } from '@voisol/contract/dated-settings'
import type { Setting, SettingWord } from '@voisol/contract/settings'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { datedSettings } from '../../../db/schema/index.ts'

/** What the product or the company said: of the product nobody. */
export type Word = Pick<SettingWord, 'value' | 'from' | 'source' | 'said'>
export type AllWords = Map<SettingName, Word[]>

/** In the order of their days; of one day the product's word first, then the company's as it was said. */
export async function wordsOf(db: Db, companyId: number): Promise<AllWords> {
  const rows = await db
    .select()
    .from(datedSettings)
    .where(eq(datedSettings.companyId, companyId))
    .orderBy(asc(datedSettings.createdAt), asc(datedSettings.id))
  const own = Map.groupBy(rows, ({ name }) => name)
  // Object.entries forgets the names.
  const all = Object.entries(SETTINGS) as [SettingName, (typeof SETTINGS)[SettingName]][]
  return new Map(
    all.map(([name, { said }]) => {
      const products = said.map((word): Word => ({ ...word, said: null }))
      const words = [...products, ...(own.get(name) ?? []).map(toWord)]
      return [name, words.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))]
    }),
  )
}

const toWord = ({ value, startsOn, source, createdBy, createdAt }: typeof datedSettings.$inferSelect): Word => ({
  value,
  from: startsOn,
  source,
  said: { by: createdBy, at: createdAt.toISOString() },
})

/** The last to have begun; before the first of them, the first: what a law asks for is not left out for want of history. */
export function heldOn(words: readonly Word[], day: string): Word {
  const held = words.findLast(({ from }) => from <= day) ?? words[0]
  if (!held) throw new Error('a setting without a word')
  return held
}

/** From each word to the next; of one day the last word alone. The first reaches back without limit. */
export function spansOf(words: readonly Word[]): { from: string; to: string | null; word: Word }[] {
  const said = words.filter((word, at) => words[at + 1]?.from !== word.from)
  return said.map((word, at) => ({
    from: at === 0 ? '1970-01-01' : word.from,
    to: said[at + 1]?.from ?? null,
    word,
  }))
}

export function toSetting(name: SettingName, words: readonly Word[], day: string): Setting {
  const held = heldOn(words, day)
  const stateOf = (word: Word, at: number): SettingWord['state'] => {
    if (word === held) return 'held'
    if (words[at + 1]?.from === word.from) return 'replaced'
    return word.from > day ? 'future' : 'past'
  }
  return {
    name,
    label: SETTINGS[name].label,
    held: { ...held, state: 'held' },
    words: words.map((word, at) => ({ ...word, state: stateOf(word, at) })),
  }
}
