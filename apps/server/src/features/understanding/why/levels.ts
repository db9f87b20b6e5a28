import type { WhyReadings } from '@voisol/contract/why'
import type { z } from 'zod'
import type { ExplainedDays } from '../../energy/allocations/allocations.ts'

type ReadingLevels = z.infer<typeof WhyReadings>

export const createReadingLevels = (): ReadingLevels => ({
  steps: 0,
  measured: 0,
  corrected: 0,
  estimated: 0,
  missing: 0,
  gaps: [],
  minutes: 0,
})

/** Adds the data quality of the member's meters; an estimate counts as one, whoever made it. */
export function addReadingLevels(
  sums: ReadingLevels,
  explained: ExplainedDays,
  active: Map<string, [number, number][]>,
): void {
  sums.minutes = explained.step
  for (const [id, ranges] of active) {
    const levels = explained.levelsOf(id, ranges)
    if (!levels) continue
    sums.steps += levels.steps
    sums.measured += levels.measured
    sums.corrected += levels.corrected
    sums.estimated += levels.estimated + levels.own + levels.profile
    sums.missing += levels.missing
    sums.gaps = [...sums.gaps, ...levels.gaps].sort((a, b) => (a.from < b.from ? -1 : 1))
  }
}
