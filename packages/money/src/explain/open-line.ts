import { addDays, type Day } from '../calendar/days.ts'
import type { EnergyLine } from '../documents/lines.ts'
import { computeMonthEnergy } from '../month/energy.ts'
import type { MonthInput } from '../month/input.ts'
import { buildPricingSegments, createPricing } from '../month/pricing.ts'
import { apportion, sumRatios } from '../numbers/apportion.ts'
import { compareText } from '../numbers/order.ts'
import { formatRatio, type Ratio, toRatio } from '../numbers/ratio.ts'

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
