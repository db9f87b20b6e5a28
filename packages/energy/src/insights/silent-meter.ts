import { computeQuantile } from '../forecast/quantile.ts'
import { STUCK_HOURS } from '../forecast/stuck.ts'
import type { PowerSeries } from '../series/series.ts'
import type { InsightFinding } from './finding.ts'

export type SilentMeterFinding = InsightFinding<
  'stuck-meter' | 'mute-meter',
  { from: number; to: number; watts: number; estimatedWh: number }
>

const MUTE_HOURS = 72
const MIN_HISTORY_MINUTES = 14 * 1440

/** Where the last known value began to repeat, and where it ends. */
function findLastConstantRange(watts: Int32Array): [number, number] {
  let to = watts.length
  while (to > 0 && (watts[to - 1] ?? -1) < 0) to--
  let from = to
  while (from > 0 && watts[from - 1] === watts[to - 1]) from--
  return [from, to]
}

/** The same value for a day, other than zero; or zero for three days on a meter that never read zero. */
export function detectSilentMeter({ startsAt, step, watts }: PowerSeries): SilentMeterFinding | null {
  const [from, to] = findLastConstantRange(watts)
  const hours = ((to - from) * step) / 60
  const value = watts[to - 1] ?? 0
  const before = Float64Array.from(watts.subarray(0, from).filter((each) => each >= 0))
  const usual = before.length > 0 ? before.reduce((sum, each) => sum + each, 0) / before.length : 0
  const isMute =
    value === 0 &&
    hours >= MUTE_HOURS &&
    before.length * step >= MIN_HISTORY_MINUTES &&
    computeQuantile(before, 0.01) > 0
  const isStuck = value > 0 && hours >= STUCK_HOURS
  if (!isMute && !isStuck) return null
  return {
    rule: isMute ? 'mute-meter' : 'stuck-meter',
    statistic: hours,
    threshold: isMute ? MUTE_HOURS : STUCK_HOURS,
    confidence: isMute ? 0.8 : 0.9,
    evidence: { from: startsAt + from * step, to: startsAt + to * step, watts: value, estimatedWh: usual * hours },
  }
}
