import type { KeySpan } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import type { Db } from '../db/client.ts'
import { loadKeyCurves, splitKeyByMembership, toEngineKey, usesCoefficientCurves } from './engine-key.ts'
import type { EffectiveKey } from './key-versions.ts'
import type { OperationMember } from './members.ts'

/** Whole days, the last one not counted. */
export type Period = { from: string; to: string }
type MeteringContext = { step: Step; members: OperationMember[] }

const getLaterDay = (a: string, b: string) => (a > b ? a : b)
const getEarlierDay = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The steps, as offsets from the start of the period, at which each point is in the operation. */
export function buildActiveRanges({ members, step }: MeteringContext, period: Period): Map<string, [number, number][]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / step
  const ranges = new Map<string, [number, number][]>()
  for (const { pointId, startsOn, endsOn } of members) {
    const from = getLaterDay(startsOn, period.from)
    const to = getEarlierDay(period.to, endsOn)
    if (from >= to) continue
    ranges.set(pointId, [...(ranges.get(pointId) ?? []), [at(from), at(to)]])
  }
  return ranges
}

/** The keys in force over the period, in the format of the kernel. */
export async function loadKeySpans(
  db: Db,
  setting: MeteringContext,
  keys: EffectiveKey[],
  period: Period,
): Promise<KeySpan[]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / setting.step
  const spans: KeySpan[] = []
  for (const { version, ...held } of keys) {
    const days = { from: getLaterDay(held.from, period.from), to: getEarlierDay(period.to, held.to) }
    if (days.from >= days.to) continue
    const curves = usesCoefficientCurves(version) ? await loadKeyCurves(db, version, days, setting.step) : []
    for (const { from, to, key } of splitKeyByMembership(toEngineKey(version, curves), setting.members, days))
      spans.push({ from: at(from), to: at(to), key })
  }
  return spans
}
