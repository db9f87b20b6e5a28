import { addMonths, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { findUncoveredSteps } from '@voisol/energy/key-coverage'
import type { Step } from '@voisol/energy/series'
import type { Db } from '../db/client.ts'
import { usesCoefficientCurves } from './engine-key.ts'
import { buildGaps, type DayGap } from './gaps.ts'
import type { EffectiveKey } from './key-versions.ts'
import type { OperationMember } from './members.ts'
import { buildActiveRanges, loadKeySpans, type Period } from './spans.ts'

type MeteringContext = { step: Step; members: OperationMember[] }

/**
 * The days, with their steps, for which keys of coefficients give none to those present: the default rule applies
 * there.
 */
export async function loadUncoveredDays(
  db: Db,
  setting: MeteringContext,
  keys: EffectiveKey[],
  { from, to }: Period,
): Promise<DayGap[]> {
  const curves = keys.filter(({ version }) => usesCoefficientCurves(version))
  const days: { day: string; steps: number }[] = []
  for (let month = monthOf(from); curves.length > 0 && month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    days.push(
      ...(await loadUncoveredDaysOfMonth(db, setting, curves, {
        from: month > from ? month : from,
        to: next < to ? next : to,
      })),
    )
  }
  return buildGaps(days)
}

async function loadUncoveredDaysOfMonth(db: Db, setting: MeteringContext, keys: EffectiveKey[], period: Period) {
  const { step, members } = setting
  const active = buildActiveRanges(setting, period)
  const ids = (direction: OperationMember['direction']) => [
    ...new Set(members.filter((member) => member.direction === direction).map(({ pointId }) => pointId)),
  ]
  const origin = dayStart(period.from)
  const marks = new Uint8Array((dayStart(period.to) - origin) / step)
  for (const { from, to, key } of await loadKeySpans(db, setting, keys, period)) {
    const within = (id: string) => ({
      id,
      active: (active.get(id) ?? []).map(([first, last]): [number, number] => [first - from, last - from]),
    })
    const [consumers, producers] = [ids('consumption').map(within), ids('production').map(within)]
    marks.set(findUncoveredSteps(key, to - from, consumers, producers), from)
  }
  return listDays(period.from, period.to).map((day) => ({ day, steps: countMarkedSteps(marks, day, origin, step) }))
}

/** How many steps of a day are marked. */
export function countMarkedSteps(marks: Uint8Array, day: string, origin: number, step: Step): number {
  const at = (dayStart(day) - origin) / step
  return marks.subarray(at, at + stepsOfDay(day, step)).reduce((sum, is) => sum + is, 0)
}
