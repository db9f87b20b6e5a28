import type { KeySpan, PointCurve } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import type { Key } from '@voisol/energy/keys'
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

/** The same keys over the steps [from, to) alone, counted from there. */
export function sliceSpans(spans: KeySpan[], from: number, to: number): KeySpan[] {
  return spans.flatMap((span) => {
    const first = Math.max(span.from, from)
    const last = Math.min(span.to, to)
    if (first >= last) return []
    return [{ from: first - from, to: last - from, key: sliceKey(span.key, first - span.from, last - span.from) }]
  })
}

function sliceKey(key: Key, from: number, to: number): Key {
  const cut = (curve: Int32Array) => curve.subarray(from, to)
  if (key.method === 'simple') return { ...key, coefficients: mapValues(key.coefficients, cut) }
  if (key.method !== 'complete') return key
  const row = (shares: Record<string, Int32Array | number>) =>
    mapValues(shares, (share) => (typeof share === 'number' ? share : cut(share)))
  return { ...key, coefficients: mapValues(key.coefficients, row) }
}

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([id, value]) => [id, map(value)]))

/** The same curves over the steps [from, to) alone. */
export const sliceCurves = (curves: PointCurve[], from: number, to: number): PointCurve[] =>
  curves.map(({ id, values, active }) => ({
    id,
    values: values.subarray(from, to),
    active: active
      .map(([first, last]): [number, number] => [Math.max(0, first - from), Math.min(to, last) - from])
      .filter(([first, last]) => first < last),
  }))
