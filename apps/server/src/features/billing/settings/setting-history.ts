import { SETTING_DEFINITIONS, type SettingName } from '@voisol/contract/dated-settings'
import type { DatedSettingValue, Setting } from '@voisol/contract/settings'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { datedSettings } from '../../../db/schema/index.ts'

/** A value set by the product or by the company; `said` is null for the product's values. */
type DatedValue = Pick<DatedSettingValue, 'value' | 'from' | 'source' | 'said'>
export type SettingHistory = Map<SettingName, DatedValue[]>

/** Sorted by day; for the same day the product's value first, then the company's in the order they were added. */
export async function loadSettingHistory(db: Db, companyId: number): Promise<SettingHistory> {
  const rows = await db
    .select()
    .from(datedSettings)
    .where(eq(datedSettings.companyId, companyId))
    .orderBy(asc(datedSettings.createdAt), asc(datedSettings.id))
  const companyRowsByName = Map.groupBy(rows, ({ name }) => name)
  // Object.entries loses the type of the keys.
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

/** The last value that has begun, or the first one before that, so that a legal setting always has a value. */
export function getEffectiveValue(history: readonly DatedValue[], day: string): DatedValue {
  const effective = history.findLast(({ from }) => from <= day) ?? history[0]
  if (!effective) throw new Error('a setting without a word')
  return effective
}

/** Periods from each value to the next, with only the last value of a day. The first has no lower limit. */
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
