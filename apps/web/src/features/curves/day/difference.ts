import type { CurveVersion } from '../labels.ts'

/** Watts over the same day at a finer step: a mean stands for each part of it. */
export function toFinerStep(watts: (number | null)[], step: number, to: number): (number | null)[] {
  const times = step / to
  return times === 1 ? watts : watts.flatMap((value) => Array.from({ length: times }, () => value))
}

/** A step that divides both: they are all among 5, 10, 15, 30 and 60 minutes. */
export const getGreatestCommonStep = (a: number, b: number): number => (b === 0 ? a : getGreatestCommonStep(b, a % b))

export type StepChange = { at: number; before: number | null; after: number | null }

/** Where two versions of a day do not say the same, step by step of the finer of the two. */
export function compareVersions(before: CurveVersion, after: CurveVersion) {
  const step = getGreatestCommonStep(before.step, after.step)
  const [old, now] = [toFinerStep(before.watts, before.step, step), toFinerStep(after.watts, after.step, step)]
  const changes = now.flatMap((value, at): StepChange[] =>
    value === (old[at] ?? null) ? [] : [{ at, before: old[at] ?? null, after: value }],
  )
  return { step, old, now, changes, wh: after.energyWh - before.energyWh }
}
