import { SETTING_DEFINITIONS, type SettingName } from '@voisol/contract/dated-settings'
import type { DatedSettingValue, Setting } from '@voisol/contract/settings'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { datedSettings } from '../../../db/schema/index.ts'

/** What the product or the company said: of the product nobody. */
export type DatedValue = Pick<DatedSettingValue, 'value' | 'from' | 'source' | 'said'>
export type SettingHistory = Map<SettingName, DatedValue[]>

/** In the order of their days; of one day the product's word first, then the company's as it was said. */
export async function loadSettingHistory(db: Db, companyId: number): Promise<SettingHistory> {
  const rows = await db
    .select()
    .from(datedSettings)
    .where(eq(datedSettings.companyId, companyId))
    .orderBy(asc(datedSettings.createdAt), asc(datedSettings.id))
  const companyRowsByName = Map.groupBy(rows, ({ name }) => name)
  // Object.entries forgets the names.
  const definitions = Object.entries(SETTING_DEFINITIONS) as [SettingName, (typeof SETTING_DEFINITIONS)[SettingName]][]
  return new Map(
    definitions.map(([name, { said }]) => {
      const productValues = said.map((word): DatedValue => ({ ...word, said: null }))
      const datedValues = [...productValues, ...(companyRowsByName.get(name) ?? []).map(toDatedValue)]
      return [name, datedValues.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))]
    }),
  )
}

const toDatedValue = ({
  value,
  startsOn,
  source,
  createdBy,
  createdAt,
}: typeof datedSettings.$inferSelect): DatedValue => ({
  value,
  from: startsOn,
  source,
  said: { by: createdBy, at: createdAt.toISOString() },
})

/** The last to have begun; before the first of them, the first: what a law asks for is not left out for want of history. */
export function getEffectiveValue(history: readonly DatedValue[], day: string): DatedValue {
  const effective = history.findLast(({ from }) => from <= day) ?? history[0]
  if (!effective) throw new Error('a setting without a word')
  return effective
}

/** From each word to the next; of one day the last word alone. The first reaches back without limit. */
export function toValuePeriods(
  history: readonly DatedValue[],
): { from: string; to: string | null; word: DatedValue }[] {
  const lastOfEachDay = history.filter((word, at) => history[at + 1]?.from !== word.from)
  return lastOfEachDay.map((word, at) => ({
    from: at === 0 ? '1970-01-01' : word.from,
    to: lastOfEachDay[at + 1]?.from ?? null,
    word,
  }))
}

export function toSetting(name: SettingName, history: readonly DatedValue[], day: string): Setting {
  const effective = getEffectiveValue(history, day)
  const getState = (word: DatedValue, at: number): DatedSettingValue['state'] => {
    if (word === effective) return 'held'
    if (history[at + 1]?.from === word.from) return 'replaced'
    return word.from > day ? 'future' : 'past'
  }
  return {
    name,
    label: SETTING_DEFINITIONS[name].label,
    held: { ...effective, state: 'held' },
    words: history.map((word, at) => ({ ...word, state: getState(word, at) })),
  }
}
