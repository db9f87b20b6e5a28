import { TIME_CLASSES } from '@voisol/energy/time-classes'
import type { AllocationMonthSums } from './compute-days.ts'
import type { RunInput } from './input.ts'
import { comparePairRows } from './result-hash.ts'
import type { DailyPair } from './rows.ts'

/** Energy of each consumer from each producer in each class, by day of the month. */
export function toDailyPairs(
  { consumers, producers }: Pick<RunInput, 'consumers' | 'producers'>,
  sums: AllocationMonthSums,
): DailyPair[] {
  const { month, length } = sums
  const flows: DailyPair[] = []
  for (const [c, timeClass] of TIME_CLASSES.entries())
    for (const [j, producerId] of producers.entries())
      for (const [i, pointId] of consumers.entries()) {
        const at = (j * consumers.length + i) * length
        const days = sums.pairs[c]?.subarray(at, at + length)
        const energy = days?.reduce((sum, day) => sum + day, 0)
        if (days && energy) flows.push({ month, producerId, pointId, timeClass, energy, days })
      }
  return flows.sort(comparePairRows)
}
