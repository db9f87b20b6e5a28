import { daysBetween } from '../calendar/days.ts'
import { energyOf } from '../month/energy.ts'
import type { MonthInput } from '../month/input.ts'
import { apportion, apportionSum, sumOf } from '../numbers/apportion.ts'
import { plus, type Ratio, ratio, ZERO } from '../numbers/ratio.ts'

/** By member, the watt-hours of each day of the month; with units of 1 Wh they sum to what is billed. */
export function dailyWh(input: MonthInput, units: ReadonlyMap<string, number>): Map<string, number[]> {
  const { layers, period } = energyOf(input)
  const length = daysBetween(period.from, period.to)
  return new Map(
    input.members.map(({ id }) => {
      const days = Array.from({ length }, (): Ratio => ZERO)
      for (const { weights, num, den } of layers.get(id) ?? [])
        for (const [at, weight] of weights.entries())
          if (weight > 0) days[at] = plus(days[at] ?? ZERO, ratio(BigInt(weight) * num, den * 60n))
      const billed = units.get(id)
      const sums = billed !== undefined && input.resolutionWh === 1 && sumOf(days).num > 0n
      return [id, sums ? apportion(days, billed) : apportionSum(days).units]
    }),
  )
}
