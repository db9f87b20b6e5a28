import type { KeySpan } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import type { Db } from '../db/client.ts'
import { cutKey, engineKey, needsCurves, readCurves } from './engine-key.ts'
import type { HeldKey } from './key-versions.ts'
import type { Member } from './members.ts'

/** Whole days, the last one not counted. */
export type Period = { from: string; to: string }
type Setting = { step: Step; members: Member[] }

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The steps, counted from the start of the period, during which each point is in the operation. */
export function activeRanges({ members, step }: Setting, period: Period): Map<string, [number, number][]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / step
  const ranges = new Map<string, [number, number][]>()
  for (const { pointId, startsOn, endsOn } of members) {
    const from = later(startsOn, period.from)
    const to = earlier(period.to, endsOn)
    if (from >= to) continue
    ranges.set(pointId, [...(ranges.get(pointId) ?? []), [at(from), at(to)]])
  }
  return ranges
}

/** The keys in force over the period, as the kernel takes them. */
export async function keySpans(db: Db, setting: Setting, keys: HeldKey[], period: Period): Promise<KeySpan[]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / setting.step
  const spans: KeySpan[] = []
  for (const { version, ...held } of keys) {
    const days = { from: later(held.from, period.from), to: earlier(period.to, held.to) }
    if (days.from >= days.to) continue
    const curves = needsCurves(version) ? await readCurves(db, version, days, setting.step) : []
    for (const { from, to, key } of cutKey(engineKey(version, curves), setting.members, days))
      spans.push({ from: at(from), to: at(to), key })
  }
  return spans
}
