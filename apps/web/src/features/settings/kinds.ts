import { SETTINGS, type SettingName } from '@voisol/contract/dated-settings'
import { z } from 'zod'
import { money, number, percent, plural } from '../../lib/format.ts'
import { numberText, typedNumber } from '../../lib/typed-fields.ts'
import type { Option } from '../../ui/select.tsx'

/** How a value of a setting is read, and typed: a line of text, a longer text, or one of a few. */
export type Kind = {
  shown: (value: unknown) => string
  schema: z.ZodType<unknown, string>
  text: (value: unknown) => string
  hint?: string
  control: 'line' | 'text' | Option[]
}

const int = z.int()
const counted = (unit: string, most: number, said: (count: number) => string): Kind => ({
  shown: (value) => said(int.parse(value)),
  schema: typedNumber({ min: 0, max: most }),
  text: (value) => String(value),
  hint: unit,
  control: 'line',
})
const days = counted('En jours.', 365, (count) => plural(count, 'jour'))

const euros = (most: number): Kind => ({
  shown: (value) => money(int.parse(value)),
  schema: typedNumber({ min: 0, max: most, scale: 100 }),
  text: (value) => numberText(int.parse(value), 100),
  hint: 'En euros.',
  control: 'line',
})

const PERCENT: Kind = {
  shown: (value) => percent(int.parse(value) / 10_000),
  schema: typedNumber({ min: 0, max: 100, scale: 100 }),
  text: (value) => numberText(int.parse(value), 100),
  hint: 'En pourcentage, par exemple 20.',
  control: 'line',
}
const SENTENCE: Kind = {
  shown: String,
  schema: z.string(),
  text: String,
  control: 'text',
}
const choice = (options: Option[], parse: (text: string) => unknown): Kind => ({
  shown: (value) => options.find((option) => option.value === String(value))?.label ?? String(value),
  schema: z.string().transform(parse),
  text: String,
  control: options,
})

const UNITS = [
  { value: '1', label: 'Au wattheure' },
  { value: '1000', label: 'Au kilowattheure' },
]
const YES_NO = [
  { value: 'true', label: 'Oui' },
  { value: 'false', label: 'Non' },
]

const KINDS: Partial<Record<SettingName, Kind>> = {
  'quantity.unitWh': choice(UNITS, Number),
  'vat.standardRate': PERCENT,
  'accise.thresholdWatts': {
    shown: (value) => `${number(int.parse(value) / 1000)}\u00a0kW`,
    schema: typedNumber({ min: 0, max: 1_000_000, scale: 1000 }),
    text: (value) => numberText(int.parse(value), 1000),
    hint: 'En kilowatts.',
    control: 'line',
  },
  'due.days': days,
  'due.daysBusiness': days,
  'due.daysPublic': days,
  'correction.heldCents': euros(100),
  'reminder.automatic': choice(YES_NO, (text) => text === 'true'),
  'reminder.days1': days,
  'reminder.days2': days,
  'reminder.days3': days,
  'reminder.days4': days,
  'reminder.gapDays': days,
  'reminder.bankDays': days,
  'reminder.leastCents': euros(1000),
  'recovery.indemnityCents': euros(1000),
  'recovery.rateBp': PERCENT,
  'correction.claimMonths': counted('En mois.', 60, (count) => `${number(count)}\u00a0mois`),
  'duty.movementDays': days,
  'duty.coefficientDays': days,
  'duty.consentDays': days,
  'duty.yearlyDays': days,
  'duty.vatDay': counted('Un jour du mois, de 1 à 28.', 28, (day) => `le ${number(day)}`),
  'debit.noticeDays': days,
  'debit.leadDays': days,
  'debit.retryDays': days,
  'mandate.lapseMonths': counted('En mois.', 36, (count) => `${number(count)}\u00a0mois`),
  'statement.whenFree': choice(YES_NO, (text) => text === 'true'),
}
/** What has no kind of its own is a sentence, but for the table of the accise. */
export const kindOf = (name: SettingName): Kind => KINDS[name] ?? SENTENCE

/** What the unit of a label says is said by the value itself. */
export const labelOf = (label: string) => label.replace(/\s*\((?:W|Wh|centimes|mois|jours|c€\/MWh)\)$/, '')
/** Under a heading that says it already. */
export const shortLabel = (label: string) =>
  labelOf(label).replace(/^Mention\s: (.)/, (_, first: string) => first.toUpperCase())

export type Rates = z.output<(typeof SETTINGS)['accise.rates']['value']>
export const ratesOf = (value: unknown): Rates => SETTINGS['accise.rates'].value.parse(value)
export const perMwh = (cents: number) => `${number(cents / 100, 2)}\u00a0€/MWh`

/** By what they are about, in the order of the screen. */
export const GROUPS: { title: string; has: (name: SettingName) => boolean }[] = [
  { title: 'Quantités, taux et seuils', has: (name) => /^(quantity|vat|accise)\./.test(name) },
  { title: 'Échéances et régularisations', has: (name) => /^(due|correction|statement)\./.test(name) },
  { title: 'Relances et pénalités', has: (name) => /^(reminder|recovery)\./.test(name) },
  { title: 'Prélèvements', has: (name) => /^(debit|mandate)\./.test(name) },
  { title: 'Obligations', has: (name) => name.startsWith('duty.') },
  { title: 'Mentions imprimées', has: (name) => name.startsWith('mention.') },
]
