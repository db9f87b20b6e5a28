import { daysBetween } from '../calendar/days.ts'
import { computeMonthEnergy } from '../month/energy.ts'
import type { MonthInput } from '../month/input.ts'
import { apportion, apportionRoundedSum, sumRatios } from '../numbers/apportion.ts'
import { addRatios, type Ratio, toRatio, ZERO } from '../numbers/ratio.ts'

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
