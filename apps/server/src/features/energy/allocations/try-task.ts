import type { Answer } from '../../../compute/task.ts'
import { type Curves, computeDays, emptySums, type Setting } from './compute-days.ts'

/** The readings and keys of a month, and its days in groups that are computed in one go. */
export type MonthToCompute = Curves & { setting: Setting; pieces: string[][]; origin: number }
/** What a run would store of a point's day, without its steps. */
export type TriedDay = { day: string; pointId: string; total: number; local: number; excluded: number; steps: number }

export default function computeMonth({ setting, pieces, origin, ...curves }: MonthToCompute): Answer<TriedDay[]> {
  const sums = emptySums(curves.producers.length, curves.consumers.length, pieces[0]?.[0] ?? '2000-01-01')
  const value = pieces.flatMap((days) =>
    computeDays(setting, curves, { days, origin }, sums).days.map(({ allocated, ...row }) => ({
      ...row,
      steps: allocated.length,
    })),
  )
  return { value }
}
