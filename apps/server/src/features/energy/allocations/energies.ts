import { setImmediate } from 'node:timers/promises'
import type { PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { estimateGaps } from '@voisol/energy/estimate'
import { estimateByProfile } from '@voisol/energy/profile'
import type { Step } from '@voisol/energy/series'
import type { Period } from '../../../core/spans.ts'
import { activeRanges } from '../../../core/spans.ts'
import { ESTIMATE_DAYS } from '../../../core/stale.ts'
import type { Db } from '../../../db/client.ts'
import { readAligned } from '../curves/curves.ts'
import type { EstimateBy, RunInput } from './input.ts'
import { type MemberLevels, memberLevels } from './levels.ts'

type Selection = Period & {
  companyId: number
  consumers: string[]
  producers: string[]
  /** A battery's day is its own: it takes no part in the profile of the others. */
  batteries?: string[]
  step: Step
  estimated: boolean
  estimateBy: EstimateBy
  knownAt?: Date | undefined
}
/** Watt-minutes per step, what the store says of each, and what an estimate stands in for: 1 own days, 2 the others' profile. */
export type Values = { values: Int32Array; marks: Uint8Array; levels: Uint8Array }

/** What was measured; with `estimated`, holes are filled where other days or, if asked for, the others allow it. */
export async function readValues(db: Db, selection: Selection): Promise<Map<string, Values>> {
  const { companyId, consumers, producers, batteries = [], from, to, step, estimated, estimateBy, knownAt } = selection
  const first = estimated ? addDays(from, -ESTIMATE_DAYS) : from
  const last = estimated ? addDays(to, ESTIMATE_DAYS) : to
  const curves = await readAligned(db, companyId, [...consumers, ...producers], first, last, step, { knownAt })
  const [at, until] = [(dayStart(from) - dayStart(first)) / step, (dayStart(to) - dayStart(first)) / step]
  const found = new Map<string, Values>()
  for (const [id, { values, marks }] of curves) {
    const series = { startsAt: dayStart(first), step, watts: values }
    const filled = estimated && estimateGaps(series, { later: true, within: [at, until] })
    found.set(id, {
      values: filled ? filled.values : values,
      levels: filled ? filled.estimated : new Uint8Array(values.length),
      marks,
    })
    if (filled) await setImmediate()
  }
  if (estimated && estimateBy === 'profile') {
    // A battery does as its owner bids: the day of the others says nothing of its own, nor it of theirs.
    const group = (ids: string[]) => ids.flatMap((id) => (batteries.includes(id) ? [] : (found.get(id) ?? [])))
    estimateByProfile(group(consumers), { blank: true })
    // A plant that never spoke has no size: nobody else's says what it made.
    estimateByProfile(group(producers), { blank: false })
  }
  for (const [id, { values, marks, levels }] of found)
    found.set(id, {
      values: values.subarray(at, until),
      marks: marks.subarray(at, until),
      levels: levels.subarray(at, until),
    })
  return found
}

export type Energies = { producers: PointCurve[]; consumers: PointCurve[]; levels: MemberLevels[] }

/** The energies of every point over part of a run, and what the figures of each rest on. */
export async function readEnergies(db: Db, input: RunInput, period: Period): Promise<Energies> {
  const { companyId, step, consumers, producers, batteries, estimated, estimateBy } = input
  const active = activeRanges(input, period)
  const sides = { consumers, producers, batteries }
  const curves = await readValues(db, { ...period, ...sides, companyId, step, estimated, estimateBy })
  const levels: MemberLevels[] = []
  const curveOf = (id: string): PointCurve => {
    const own = active.get(id) ?? []
    const found = curves.get(id)
    const point = { id, active: own, ...(batteries.includes(id) && { storage: true }) }
    if (!found) return { ...point, values: new Int32Array(0) }
    if (own.length > 0) levels.push(memberLevels(id, found, own, period, step))
    return { ...point, values: found.values }
  }
  return { consumers: consumers.map(curveOf), producers: producers.map(curveOf), levels }
}
