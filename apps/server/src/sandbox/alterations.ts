import { dayOf, dayStart } from '@voisol/energy/calendar'
import type { SimulatorResponse } from './responses.ts'
import type { SettledMonth, SharedPoint } from './settlement.ts'
import type { CurveValue } from './write-curve.ts'

/** Faults in the figures. */
export const MONTH_ALTERATIONS = ['swapped-members', 'shifted-day', 'one-percent'] as const
export type MonthAlteration = (typeof MONTH_ALTERATIONS)[number]

const DAY_STEPS = 96

/** Members of a side are swapped in pairs. */
const swapMembers = (points: SharedPoint[]): SharedPoint[] =>
  (['cons', 'prod'] as const).flatMap((role) => {
    const side = points.filter((point) => point.role === role)
    return side.map((point, at) => {
      const other = side[at % 2 ? at - 1 : at + 1] ?? point
      return { ...point, total: other.total, local: other.local }
    })
  })

/** Each day gets the figures of the day before. */
function shiftDays(points: SharedPoint[], before: SettledMonth | undefined): SharedPoint[] {
  return points.map((point) => {
    const last = before?.points.find(({ prm, role }) => prm === point.prm && role === point.role)
    const late = (now: Int32Array, then: Int32Array | undefined) =>
      now.map((_, at) => (at < DAY_STEPS ? (then?.at(at - DAY_STEPS) ?? -1) : (now[at - DAY_STEPS] ?? -1)))
    return { ...point, total: late(point.total, last?.total), local: late(point.local, last?.local) }
  })
}

const addOnePercent = (watts: number) => (watts < 0 ? watts : Math.round(watts * 1.01))
/** One per cent more is consumed and shared. */
const increaseByOnePercent = ({ total, local, ...point }: SharedPoint): SharedPoint => ({
  ...point,
  total: total.map(addOnePercent),
  local: local.map(addOnePercent),
})

/** Settled months with a fault in them. `before` is the month before the first. */
export function alterMonths(
  kind: MonthAlteration,
  months: SettledMonth[],
  before: SettledMonth | undefined,
): SettledMonth[] {
  return months.map((month, at) => {
    const points =
      kind === 'swapped-members'
        ? swapMembers(month.points)
        : kind === 'shifted-day'
          ? shiftDays(month.points, months[at - 1] ?? before)
          : month.points.map(increaseByOnePercent)
    return { ...month, points }
  })
}

/** Faults in the format of the answer: well formed, but not what was asked for. */
export const ANSWER_ALTERATIONS = [
  ...(['dropped-class', 'tripled', 'negative', 'other-point', 'other-year', 'empty-value', 'empty'] as const),
  ...(['kilo', 'wrong-step', 'off-step', 'descending'] as const),
] as const
type AnswerAlteration = (typeof ANSWER_ALTERATIONS)[number]

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

export const DEFORMATIONS = ['late', 'partial', 'duplicate', 'mixed-steps'] as const
export type Deformation = (typeof DEFORMATIONS)[number]

const NOON = 12 * 60
const dayOfValue = ({ end, minutes }: CurveValue) => dayOf(end - minutes)
const lastDay = (values: CurveValue[]) => values.map(dayOfValue).reduce((a, b) => (a > b ? a : b), '')
const sinceMidnight = (value: CurveValue) => value.end - value.minutes - dayStart(dayOfValue(value))

/** Two values become one of twice the duration where both are known. */
function mergeSteps(values: CurveValue[]): CurveValue[] {
  const found: CurveValue[] = []
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [a, b] = [values[at], values[at + 1]]
    if (!a || !b || a.watts < 0 || b.watts < 0) continue
    found.push({ ...b, minutes: b.minutes * 2, watts: Math.round((a.watts + b.watts) / 2) })
  }
  return found
}

const splitSteps = (values: CurveValue[]): CurveValue[] =>
  values.flatMap((value) => {
    const minutes = value.minutes / 2
    return [
      { ...value, minutes, end: value.end - minutes },
      { ...value, minutes },
    ]
  })

/** A well-formed answer that differs from what the meter measured. */
export function deformValues(kind: Deformation, values: CurveValue[]): CurveValue[] {
  const last = lastDay(values)
  if (kind === 'late') return values.filter((value) => dayOfValue(value) !== last)
  const afternoon = (value: CurveValue) => sinceMidnight(value) >= NOON
  if (kind === 'partial') return values.filter((value) => dayOfValue(value) !== last || !afternoon(value))
  if (kind === 'duplicate') return values.flatMap((value) => (afternoon(value) ? [value, value] : [value]))
  const mornings = values.filter((value) => dayOfValue(value) === last && !afternoon(value))
  const step = mornings[0]?.minutes ?? 15
  const changed =
    step === 15 || step === 5 || step === 30 ? mergeSteps(mornings) : step === 60 ? splitSteps(mornings) : mornings
  const rest = values.filter((value) => dayOfValue(value) !== last || afternoon(value))
  return [...rest, ...changed].sort((a, b) => a.end - b.end)
}
