import { addDays, type Day, daysBetween } from '../calendar/days.ts'
import type { EnergyLine } from '../documents/document-lines.ts'
import type { MonthInput } from '../month/input.ts'
import { computeMonthEnergy } from '../month/month-energy.ts'
import { buildPricingSegments, createPricing } from '../month/pricing.ts'
import {
  addRatios,
  apportion,
  apportionRoundedSum,
  compareText,
  formatRatio,
  type Ratio,
  sumRatios,
  toRatio,
  ZERO,
} from '../numbers/exact-numbers.ts'

/** One day of the exact energy of a line, in watt-minutes. */
export type LineCell = { producer: string; class: string; day: Day; wattMinutes: string }

/** The daily energies of a line: together they are its exact energy. */
export function listLineCells(input: MonthInput, seller: string, line: EnergyLine): LineCell[] {
  const energy = computeMonthEnergy(input)
  const pricing = createPricing(input, energy.period)
  const producers = new Map(input.producers.map((producer) => [producer.id, producer]))
  const member = input.members.find(({ id }) => id === line.member)
  const segment = buildPricingSegments(input, energy.period).find(({ from, to }) => from <= line.from && line.from < to)
  if (!member || !segment) return []
  const layers = (energy.layers.get(member.id) ?? []).filter((layer) => {
    const producer = producers.get(layer.producer)
    const rule = pricing.priceOf(member, layer.producer, layer.class, segment)?.rule.id
    return producer?.seller === seller && Boolean(producer.accise) === line.liable && rule === line.rule
  })
  const cells = layers.flatMap(({ producer, class: name, weights, num, den }) =>
    Array.from(weights.subarray(segment.first, segment.end), (weight, at) => ({ weight, day: segment.first + at }))
      .filter(({ weight }) => weight > 0)
      .map(({ weight, day }) => ({
        producer,
        class: name,
        day: addDays(energy.period.from, day),
        wattMinutes: formatRatio(toRatio(BigInt(weight) * num, den)),
      })),
  )
  return cells.sort((a, b) => compareText(a.day, b.day))
}

/** Divides a whole number by exact weights, by largest remainder, so that displayed parts sum to it. */
export function apportionByExactWeight(whole: number, weights: readonly Ratio[]): number[] {
  const all = sumRatios(weights)
  if (all.num === 0n) return weights.map(() => 0)
  const size = Math.abs(whole)
  const shares = weights.map(({ num, den }) => toRatio(num * BigInt(size) * all.den, den * all.num))
  return apportion(shares, size).map((part) => (whole < 0 && part ? -part : part))
}

/** By member, the watt-hours of each day of the month; with units of 1 Wh they sum to what is billed. */
export function computeDailyWh(input: MonthInput, units: ReadonlyMap<string, number>): Map<string, number[]> {
  const { layers, period } = computeMonthEnergy(input)
  const length = daysBetween(period.from, period.to)
  return new Map(
    input.members.map(({ id }) => {
      const days = Array.from({ length }, (): Ratio => ZERO)
      for (const { weights, num, den } of layers.get(id) ?? [])
        for (const [at, weight] of weights.entries())
          if (weight > 0) days[at] = addRatios(days[at] ?? ZERO, toRatio(BigInt(weight) * num, den * 60n))
      const billed = units.get(id)
      const sums = billed !== undefined && input.resolutionWh === 1 && sumRatios(days).num > 0n
      return [id, sums ? apportion(days, billed) : apportionRoundedSum(days).units]
    }),
  )
}
