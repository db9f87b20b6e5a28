import { SETTING_DEFINITIONS, type SettingName } from '@voisol/contract/dated-settings'
import { z } from 'zod'
import type { Option } from '../../../components/input.tsx'
import { formatNumberInput, numberInputSchema } from '../../../lib/field-schemas.ts'
import { formatCount, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'

/** How a value of a setting is read, and typed: a line of text, a longer text, or one of a few. */
type SettingKind = {
  shown: (value: unknown) => string
  schema: z.ZodType<unknown, string>
  text: (value: unknown) => string
  hint?: string
  control: 'line' | 'text' | Option[]
}

const integerSchema = z.int()
const buildCountKind = (unit: string, max: number, format: (count: number) => string): SettingKind => ({
  shown: (value) => format(integerSchema.parse(value)),
  schema: numberInputSchema({ min: 0, max: max }),
  text: (value) => String(value),
  hint: unit,
  control: 'line',
})
const DAYS_KIND = buildCountKind('En jours.', 365, (count) => formatCount(count, 'jour'))

const buildEurosKind = (max: number): SettingKind => ({
  shown: (value) => formatMoney(integerSchema.parse(value)),
  schema: numberInputSchema({ min: 0, max: max, scale: 100 }),
  text: (value) => formatNumberInput(integerSchema.parse(value), 100),
  hint: 'En euros.',
  control: 'line',
})

const PERCENT_KIND: SettingKind = {
  shown: (value) => formatPercent(integerSchema.parse(value) / 10_000),
  schema: numberInputSchema({ min: 0, max: 100, scale: 100 }),
  text: (value) => formatNumberInput(integerSchema.parse(value), 100),
  hint: 'En pourcentage, par exemple 20.',
  control: 'line',
}
const SENTENCE_KIND: SettingKind = {
  shown: String,
  schema: z.string(),
  text: String,
  control: 'text',
}
const buildChoiceKind = (options: Option[], parse: (text: string) => unknown): SettingKind => ({
  shown: (value) => options.find((option) => option.value === String(value))?.label ?? String(value),
  schema: z.string().transform(parse),
  text: String,
  control: options,
})

const UNIT_OPTIONS = [
  { value: '1', label: 'Au wattheure' },
  { value: '1000', label: 'Au kilowattheure' },
]
const YES_NO_OPTIONS = [
  { value: 'true', label: 'Oui' },
  { value: 'false', label: 'Non' },
]

const SETTING_KINDS: Partial<Record<SettingName, SettingKind>> = {
  'quantity.unitWh': buildChoiceKind(UNIT_OPTIONS, Number),
  'vat.standardRate': PERCENT_KIND,
  'accise.thresholdWatts': {
    shown: (value) => `${formatNumber(integerSchema.parse(value) / 1000)}\u00a0kW`,
    schema: numberInputSchema({ min: 0, max: 1_000_000, scale: 1000 }),
    text: (value) => formatNumberInput(integerSchema.parse(value), 1000),
    hint: 'En kilowatts.',
    control: 'line',
  },
  'due.days': DAYS_KIND,
  'due.daysBusiness': DAYS_KIND,
  'due.daysPublic': DAYS_KIND,
  'correction.heldCents': buildEurosKind(100),
  'reminder.automatic': buildChoiceKind(YES_NO_OPTIONS, (text) => text === 'true'),
  'reminder.days1': DAYS_KIND,
  'reminder.days2': DAYS_KIND,
  'reminder.days3': DAYS_KIND,
  'reminder.days4': DAYS_KIND,
  'reminder.gapDays': DAYS_KIND,
  'reminder.bankDays': DAYS_KIND,
  'reminder.leastCents': buildEurosKind(1000),
  'recovery.indemnityCents': buildEurosKind(1000),
  'recovery.rateBp': PERCENT_KIND,
  'correction.claimMonths': buildCountKind('En mois.', 60, (count) => `${formatNumber(count)}\u00a0mois`),
  'duty.movementDays': DAYS_KIND,
  'duty.coefficientDays': DAYS_KIND,
  'duty.consentDays': DAYS_KIND,
  'duty.yearlyDays': DAYS_KIND,
  'duty.vatDay': buildCountKind('Un jour du mois, de 1 à 28.', 28, (day) => `le ${formatNumber(day)}`),
  'debit.noticeDays': DAYS_KIND,
  'debit.leadDays': DAYS_KIND,
  'debit.retryDays': DAYS_KIND,
  'mandate.lapseMonths': buildCountKind('En mois.', 36, (count) => `${formatNumber(count)}\u00a0mois`),
  'statement.whenFree': buildChoiceKind(YES_NO_OPTIONS, (text) => text === 'true'),
}
/** What has no kind of its own is a sentence, but for the table of the accise. */
export const getSettingKind = (name: SettingName): SettingKind => SETTING_KINDS[name] ?? SENTENCE_KIND

/** What the unit of a label says is said by the value itself. */
export const getLabelWithoutUnit = (label: string) => label.replace(/\s*\((?:W|Wh|centimes|mois|jours|c€\/MWh)\)$/, '')
/** Under a heading that says it already. */
export const getShortLabel = (label: string) =>
  getLabelWithoutUnit(label).replace(/^Mention\s: (.)/, (_, first: string) => first.toUpperCase())

type AcciseRates = z.output<(typeof SETTING_DEFINITIONS)['accise.rates']['value']>
export const parseAcciseRates = (value: unknown): AcciseRates => SETTING_DEFINITIONS['accise.rates'].value.parse(value)

/** By what they are about, in the order of the screen. */
export const SETTING_GROUPS: { title: string; has: (name: SettingName) => boolean }[] = [
  { title: 'Quantités, taux et seuils', has: (name) => /^(quantity|vat|accise)\./.test(name) },
  { title: 'Échéances et régularisations', has: (name) => /^(due|correction|statement)\./.test(name) },
  { title: 'Relances et pénalités', has: (name) => /^(reminder|recovery)\./.test(name) },
  { title: 'Prélèvements', has: (name) => /^(debit|mandate)\./.test(name) },
  { title: 'Obligations', has: (name) => name.startsWith('duty.') },
  { title: 'Mentions imprimées', has: (name) => name.startsWith('mention.') },
]
