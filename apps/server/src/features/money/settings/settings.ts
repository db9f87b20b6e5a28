import type { SettingName, SettingValue } from '@voisol/contract/dated-settings'
import { SETTINGS } from '@voisol/contract/dated-settings'
import type { MonthInput } from '@voisol/money/input'
import type { Db } from '../../../db/client.ts'
import { heldOn, spansOf, wordsOf } from './words.ts'

/** What holds on a day, since when, and by which source. */
export type Held<N extends SettingName> = { name: N; value: SettingValue<N>; from: string; source: string }
export type HeldSettings = { [N in SettingName]: Held<N> }

/** Every setting as it holds on a day. What a law asks for before its first word holds from its first word. */
export async function settingsOn(db: Db, companyId: number, day: string): Promise<HeldSettings> {
  const held = [...(await wordsOf(db, companyId))].map(([name, words]) => {
    const { value, from, source } = heldOn(words, day)
    return [name, { name, value: SETTINGS[name].value.parse(value), from, source }]
  })
  // Each name has the value of its own schema.
  return Object.fromEntries(held) as HeldSettings
}

/** The rates of the accise by class, each from its day to the next: a month in which one begins is cut there. */
export async function acciseRates(db: Db, companyId: number): Promise<MonthInput['accise']> {
  const words = (await wordsOf(db, companyId)).get('accise.rates') ?? []
  return spansOf(words).flatMap(({ from, to, word }) =>
    SETTINGS['accise.rates'].value
      .parse(word.value)
      .map(({ class: name, centsPerMwh }) => ({ class: name, centsPerMwh, from, to })),
  )
}

/** The class of a consumer: what was said of it, else by the power it subscribes. */
export function acciseClassOf(
  rates: SettingValue<'accise.rates'>,
  { said, subscribedVa }: { said: string; subscribedVa: number | null },
): string {
  if (said) return said
  const byPower = rates.toSorted((a, b) => (a.upToVa ?? Infinity) - (b.upToVa ?? Infinity))
  const own = byPower.find(({ upToVa }) => upToVa === null || (subscribedVa ?? 0) <= upToVa)
  return (own ?? byPower.at(-1))?.class ?? ''
}

/** What a setting was over time: each word from its day to the next. */
export async function settingSpans<N extends SettingName>(db: Db, companyId: number, name: N) {
  const words = (await wordsOf(db, companyId)).get(name) ?? []
  // The value of its own schema.
  return spansOf(words).map(({ from, to, word }) => ({
    from,
    to,
    value: SETTINGS[name].value.parse(word.value) as SettingValue<N>,
  }))
}
