import { addMonths, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { uncoveredSteps } from '@voisol/energy/key-coverage'
import type { Step } from '@voisol/energy/series'
import type { Db } from '../db/client.ts'
import { needsCurves } from './engine-key.ts'
import { type Gap, gapsOf } from './gaps.ts'
import type { HeldKey } from './key-versions.ts'
import type { Member } from './members.ts'
import { activeRanges, keySpans, type Period } from './spans.ts'

type Setting = { step: Step; members: Member[] }

/** The days, with their steps, for which keys of coefficients have none for those who take part: the default rule holds there. */
export async function uncoveredDays(db: Db, setting: Setting, keys: HeldKey[], { from, to }: Period): Promise<Gap[]> {
  const curves = keys.filter(({ version }) => needsCurves(version))
  const days: { day: string; steps: number }[] = []
  for (let month = monthOf(from); curves.length > 0 && month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    days.push(
      ...(await uncoveredWithin(db, setting, curves, { from: month > from ? month : from, to: next < to ? next : to })),
    )
  }
  return gapsOf(days)
}

async function uncoveredWithin(db: Db, setting: Setting, keys: HeldKey[], period: Period) {
  const { step, members } = setting
  const active = activeRanges(setting, period)
  const ids = (direction: Member['direction']) => [
    ...new Set(members.filter((member) => member.direction === direction).map(({ pointId }) => pointId)),
  ]
  const origin = dayStart(period.from)
  const marks = new Uint8Array((dayStart(period.to) - origin) / step)
  for (const { from, to, key } of await keySpans(db, setting, keys, period)) {
    const within = (id: string) => ({
      id,
      active: (active.get(id) ?? []).map(([first, last]): [number, number] => [first - from, last - from]),
    })
    const [consumers, producers] = [ids('consumption').map(within), ids('production').map(within)]
    marks.set(uncoveredSteps(key, to - from, consumers, producers), from)
  }
  return listDays(period.from, period.to).map((day) => ({ day, steps: countOn(marks, day, origin, step) }))
}

/** How many steps of a day are marked. */
export function countOn(marks: Uint8Array, day: string, origin: number, step: Step): number {
  const at = (dayStart(day) - origin) / step
  return marks.subarray(at, at + stepsOfDay(day, step)).reduce((sum, is) => sum + is, 0)
}
