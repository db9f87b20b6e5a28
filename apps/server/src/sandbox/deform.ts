import { dayOf, dayStart } from '@voisol/energy/calendar'
import type { CurveValue } from './write-curve.ts'

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
