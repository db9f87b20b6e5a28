import type { SettingName, SettingValue } from '@voisol/contract/dated-settings'
import { SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'
import type { MonthInput } from '@voisol/money/input'
import type { Db } from '../../../db/client.ts'
import { getEffectiveValue, loadSettingHistory, type SettingHistory, toValuePeriods } from './setting-history.ts'

/** The value in force on a day, its start, and its source. */
type EffectiveSetting<N extends SettingName> = { name: N; value: SettingValue<N>; from: string; source: string }
export type EffectiveSettings = { [N in SettingName]: EffectiveSetting<N> }

/** Every setting as in force on a day. Before its first value, a legal setting has that first value. */
export const loadSettingsOn = async (db: Db, companyId: number, day: string): Promise<EffectiveSettings> =>
  getSettingsOn(await loadSettingHistory(db, companyId), day)

/** The same of a history that was read once, where several days or several users need it. */
export function getSettingsOn(history: SettingHistory, day: string): EffectiveSettings {
  const effectiveEntries = [...history].map(([name, words]) => {
    const { value, from, source } = getEffectiveValue(words, day)
    return [name, { name, value: SETTING_DEFINITIONS[name].value.parse(value), from, source }]
  })
  // Each name has the value of its own schema.
  return Object.fromEntries(effectiveEntries) as EffectiveSettings
}

/** Accise rates by class, each until the next begins: a new rate splits a month. */
export async function loadAcciseRates(db: Db, companyId: number): Promise<MonthInput['accise']> {
  const datedValues = (await loadSettingHistory(db, companyId)).get('accise.rates') ?? []
  return toValuePeriods(datedValues).flatMap(({ from, to, word }) =>
    SETTING_DEFINITIONS['accise.rates'].value
      .parse(word.value)
      .map(({ class: name, centsPerMwh }) => ({ class: name, centsPerMwh, from, to })),
  )
}

/** The accise class of a consumer: the one set explicitly, or the one of its subscribed power. */
export function resolveAcciseClass(
  rates: SettingValue<'accise.rates'>,
  { said, subscribedVa }: { said: string; subscribedVa: number | null },
): string {
  if (said) return said
  const byPower = rates.toSorted((a, b) => (a.upToVa ?? Infinity) - (b.upToVa ?? Infinity))
  const matchingRate = byPower.find(({ upToVa }) => upToVa === null || (subscribedVa ?? 0) <= upToVa)
  return (matchingRate ?? byPower.at(-1))?.class ?? ''
}

/** A setting over time: each value until the next begins. */
export function getSettingPeriods<N extends SettingName>(history: SettingHistory, name: N) {
  const datedValues = history.get(name) ?? []
  // The value of its own schema.
  return toValuePeriods(datedValues).map(({ from, to, word }) => ({
    from,
    to,
    value: SETTING_DEFINITIONS[name].value.parse(word.value) as SettingValue<N>,
  }))
}
