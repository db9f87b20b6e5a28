import type { SimulatorResponse } from './answers.ts'

/** Faults in the format of the answer: well formed, but not what was asked for. */
export const ANSWER_ALTERATIONS = [
  ...(['dropped-class', 'tripled', 'negative', 'other-point', 'other-year', 'empty-value', 'empty'] as const),
  ...(['kilo', 'wrong-step', 'off-step', 'descending'] as const),
] as const
export type AnswerAlteration = (typeof ANSWER_ALTERATIONS)[number]

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type JsonChange = (name: string, value: Json) => Json

/** Applies the change to every value, innermost first. */
function mapJson(value: Json, change: JsonChange, name = ''): Json {
  if (Array.isArray(value))
    return change(
      name,
      value.map((one) => mapJson(one, change)),
    )
  if (typeof value !== 'object' || value === null) return change(name, value)
  return change(name, Object.fromEntries(Object.entries(value).map(([own, one]) => [own, mapJson(one, change, own)])))
}

const VALUES = new Set(['v', 'value'])
const POINTS = new Set(['idPrm', 'usage_point_id', 'cons_id', 'prod_id', 'pointId'])
const DATES = new Set(['d', 'date', 'startDate', 'endDate', 'start', 'end', 'dateDebut', 'dateFin'])
const STEPS = new Set(['p', 'interval_length', 'step'])
const LISTS = new Set(['points', 'interval_reading', 'quantities', 'usage_points'])
const UNITS: Record<string, string> = { W: 'kW', Wh: 'kWh', kWh: 'MWh' }

/** A string stays a string. */
const multiplyValue = (value: Json, by: number): Json =>
  typeof value === 'string'
    ? value === ''
      ? ''
      : String(Number(value) * by)
    : typeof value === 'number'
      ? value * by
      : value
const getOtherPrm = (prm: string) => `${prm.slice(0, -1)}${(Number(prm.at(-1)) + 1) % 10}`
const shiftYearBack = (text: string) => text.replace(/^\d{4}/, (year) => String(Number(year) - 1))
const isNamed = (one: Json) => typeof one === 'object' && one !== null && !Array.isArray(one) && 'name' in one
const shiftOffStep = (text: string) =>
  text.replace(
    /:(\d\d):00(Z?)$/,
    (_, minute, zone) => `:${String((Number(minute) + 7) % 60).padStart(2, '0')}:00${zone}`,
  )

const JSON_CHANGES: Record<AnswerAlteration, JsonChange> = {
  tripled: (name, value) => (VALUES.has(name) ? multiplyValue(value, 3) : value),
  negative: (name, value) => (VALUES.has(name) ? multiplyValue(value, -1) : value),
  'empty-value': (name, value) => (VALUES.has(name) ? '' : value),
  'other-point': (name, value) => (POINTS.has(name) && typeof value === 'string' ? getOtherPrm(value) : value),
  'other-year': (name, value) => (DATES.has(name) && typeof value === 'string' ? shiftYearBack(value) : value),
  'dropped-class': (name, value) =>
    name === 'quantities' && Array.isArray(value) && value.length > 1 && value.every(isNamed)
      ? value.slice(0, -1)
      : value,
  empty: (name, value) => (LISTS.has(name) && Array.isArray(value) ? [] : value),
  kilo: (name, value) => {
    if (VALUES.has(name)) return multiplyValue(value, 0.001)
    return (name === 'unit' || name === 'unite') && typeof value === 'string' ? (UNITS[value] ?? value) : value
  },
  'wrong-step': (name, value) => (STEPS.has(name) ? (value === 'PT30M' ? 'PT15M' : 'PT30M') : value),
  'off-step': (name, value) => (DATES.has(name) && typeof value === 'string' ? shiftOffStep(value) : value),
  descending: (name, value) => (LISTS.has(name) && Array.isArray(value) ? value.toReversed() : value),
}

export function alterAnswer(kind: AnswerAlteration, answer: SimulatorResponse): SimulatorResponse {
  if (answer.status !== 200 || answer.html) return answer
  return { ...answer, body: JSON.stringify(mapJson(JSON.parse(answer.body), JSON_CHANGES[kind])) }
}
