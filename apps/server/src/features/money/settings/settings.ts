import { SETTINGS, type SettingName, type SettingValue } from '@voisol/contract/dated-settings'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { datedSettings } from '../../../db/schema/index.ts'

/** What holds on a day, since when, and by which source. */
export type Held<N extends SettingName> = { name: N; value: SettingValue<N>; from: string; source: string }
export type HeldSettings = { [N in SettingName]: Held<N> }

type Word = { from: string; value: unknown; source: string }

/** Of what the product and then the company said, what began last; of one day, what was said last. */
function lastWord(words: readonly Word[], day: string): Word | undefined {
  const begun = words.filter(({ from }) => from <= day)
  return begun.reduce<Word | undefined>((last, word) => (last && last.from > word.from ? last : word), undefined)
}

/** Every setting as it holds on a day. What a law asks for before its first word holds from its first word. */
export async function settingsOn(db: Db, companyId: number, day: string): Promise<HeldSettings> {
  const rows = await db
    .select()
    .from(datedSettings)
    .where(and(eq(datedSettings.companyId, companyId), lte(datedSettings.startsOn, day)))
    .orderBy(asc(datedSettings.createdAt))
  const held = Object.entries(SETTINGS).map(([name, { said, value: schema }]) => {
    const own = rows.filter((row) => row.name === name).map((row) => ({ ...row, from: row.startsOn }))
    const word = lastWord([...said, ...own], day) ?? said[0]
    return [name, { name, value: schema.parse(word?.value), from: word?.from ?? day, source: word?.source ?? '' }]
  })
  // Each name has the value of its own schema.
  return Object.fromEntries(held) as HeldSettings
}
