import { findMonthInputIssues } from './check.ts'
import { computeMonthEnergy } from './energy.ts'
import type { MonthInput } from './input.ts'
import { computeBilledMonth, type MonthOutcome } from './month.ts'
import type { EnergyLayer } from './spread.ts'

/** The input of the last computation of a month, and the units it gave. */
export type PreviousComputation = { readonly input: MonthInput; readonly units: ReadonlyMap<string, number> }

const getLayerKey = ({ producer, class: name }: EnergyLayer) => JSON.stringify([producer, name])
const hasEnergy = ({ weights, num }: EnergyLayer) => num > 0n && weights.some((weight) => weight > 0)

/** Exact energy of one day: at most one layer of a producer and class covers a day. */
function findLayerOnDay(layers: readonly EnergyLayer[], day: number): EnergyLayer | undefined {
  return layers.find(({ weights }) => (weights[day] ?? 0) > 0)
}

function isSameOnDay(a: EnergyLayer | undefined, b: EnergyLayer | undefined, day: number): boolean {
  if (!a || !b) return a === b
  const [left, right] = [a.weights[day] ?? 0, b.weights[day] ?? 0]
  if (a.num === b.num && a.den === b.den) return left === right
  return BigInt(left) * a.num * b.den === BigInt(right) * b.num * a.den
}

/** Whether two computations gave a member the same energy by producer, class and day, whatever the source. */
export function haveSameCells(before: readonly EnergyLayer[], after: readonly EnergyLayer[]): boolean {
  const [a, b] = [before, after].map((layers) => Map.groupBy(layers.filter(hasEnergy), getLayerKey))
  if (!a || !b || a.size !== b.size) return false
  return [...a].every(([name, layers]) => {
    const others = b.get(name)
    if (!others) return false
    const days = layers[0]?.weights.length ?? 0
    return Array.from({ length: days }, (_, day) => day).every((day) =>
      isSameOnDay(findLayerOnDay(layers, day), findLayerOnDay(others, day), day),
    )
  })
}

/**
 * A month computed again with today's data and the prices of that month. Members whose energies did not change keep
 * their units, so that nobody is corrected because of a neighbour; the others share their rounded exact sum.
 */
export function recomputeMonth(before: PreviousComputation, input: MonthInput): MonthOutcome {
  const issues = findMonthInputIssues(input)
  if (issues.length > 0) return { ok: false, issues }
  const energy = computeMonthEnergy(input)
  const earlier = computeMonthEnergy(before.input)
  const sameUnit = before.input.resolutionWh === input.resolutionWh && before.input.month === input.month
  const kept = input.members.flatMap(({ id }): [string, number][] => {
    const units = before.units.get(id)
    const same = sameUnit && haveSameCells(earlier.layers.get(id) ?? [], energy.layers.get(id) ?? [])
    return units !== undefined && same ? [[id, units]] : []
  })
  return computeBilledMonth(input, energy, new Map(kept))
}
