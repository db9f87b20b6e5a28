import { MISSING } from './series.ts'

export type EstimatedCurve = {
  values: Int32Array /** 0 measured, 1 estimated from its own days, 2 by profile. */
  levels: Uint8Array
}
export const ESTIMATED_FROM_OWN_DAYS = 1
export const ESTIMATED_BY_PROFILE = 2

/** The sum of the measured curves at each step, and their number. */
function sumMeasured(curves: EstimatedCurve[]) {
  const steps = curves[0]?.values.length ?? 0
  const sums = new Float64Array(steps)
  const counts = new Float64Array(steps)
  for (const { values, levels } of curves)
    for (let at = 0; at < steps; at++) {
      const value = values[at] ?? MISSING
      if (value < 0 || levels[at] !== 0) continue
      sums[at] = (sums[at] ?? 0) + value
      counts[at] = (counts[at] ?? 0) + 1
    }
  return { sums, counts }
}

type MeasuredSums = ReturnType<typeof sumMeasured>

/**
 * The size of a curve relative to the mean of the others, where both were measured; undefined where there is no such
 * step.
 */
function computeScale({ values, levels }: EstimatedCurve, { sums, counts }: MeasuredSums): number | undefined {
  let own = 0
  let mean = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? MISSING
    const others = (counts[at] ?? 0) - 1
    if (value < 0 || levels[at] !== 0 || others < 1) continue
    own += value
    mean += ((sums[at] ?? 0) - value) / others
  }
  return mean > 0 ? own / mean : undefined
}

const isBlank = ({ values, levels }: EstimatedCurve) => values.every((value, at) => value < 0 || levels[at] !== 0)

/**
 * Fills what is still missing with the mean of the others at that step, scaled to the size of the curve. A curve never
 * measured has no size: with `blank` it gets the average one, else it stays unknown. Only measured values count.
 */
export function estimateByProfile(curves: EstimatedCurve[], { blank }: { blank: boolean }): void {
  const all = sumMeasured(curves)
  for (const curve of curves) {
    const scale = isBlank(curve) ? (blank ? 1 : undefined) : computeScale(curve, all)
    if (scale === undefined) continue
    const { values, levels } = curve
    for (let at = 0; at < values.length; at++) {
      const others = all.counts[at] ?? 0
      if ((values[at] ?? 0) >= 0 || others === 0) continue
      values[at] = Math.round(((all.sums[at] ?? 0) / others) * scale)
      levels[at] = ESTIMATED_BY_PROFILE
    }
  }
}
