import { setImmediate } from 'node:timers/promises'
import type { PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { estimateGaps } from '@voisol/energy/estimate'
import { estimateByProfile } from '@voisol/energy/profile'
import type { Step } from '@voisol/energy/series'
import type { Period } from '../../../core/spans.ts'
import { buildActiveRanges } from '../../../core/spans.ts'
import { ESTIMATE_WINDOW_DAYS } from '../../../core/stale.ts'
import type { Db } from '../../../db/client.ts'
import { loadAlignedCurves } from '../curves/curves.ts'
import type { EstimateBy, RunInput } from './input.ts'
import { countMemberLevels, type MemberReadingLevels } from './levels.ts'

type EnergySelection = Period & {
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
export type EnergyValues = { values: Int32Array; marks: Uint8Array; levels: Uint8Array }

/** What was measured; with `estimated`, holes are filled where other days or, if asked for, the others allow it. */
export async function loadEnergyValues(db: Db, selection: EnergySelection): Promise<Map<string, EnergyValues>> {
  const { companyId, consumers, producers, batteries = [], from, to, step, estimated, estimateBy, knownAt } = selection
  const first = estimated ? addDays(from, -ESTIMATE_WINDOW_DAYS) : from
  const last = estimated ? addDays(to, ESTIMATE_WINDOW_DAYS) : to
  const curves = await loadAlignedCurves(db, companyId, [...consumers, ...producers], first, last, step, { knownAt })
  const [at, until] = [(dayStart(from) - dayStart(first)) / step, (dayStart(to) - dayStart(first)) / step]
  const valuesById = new Map<string, EnergyValues>()
  for (const [id, { values, marks }] of curves) {
    const series = { startsAt: dayStart(first), step, watts: values }
    const filled = estimated && estimateGaps(series, { later: true, within: [at, until] })
    valuesById.set(id, {
      values: filled ? filled.values : values,
      levels: filled ? filled.estimated : new Uint8Array(values.length),
      marks,
    })
    if (filled) await setImmediate()
  }
  if (estimated && estimateBy === 'profile') {
    // A battery does as its owner bids: the day of the others says nothing of its own, nor it of theirs.
    const group = (ids: string[]) => ids.flatMap((id) => (batteries.includes(id) ? [] : (valuesById.get(id) ?? [])))
    estimateByProfile(group(consumers), { blank: true })
    // A plant that never spoke has no size: nobody else's says what it made.
    estimateByProfile(group(producers), { blank: false })
  }
  for (const [id, { values, marks, levels }] of valuesById)
    valuesById.set(id, {
      values: values.subarray(at, until),
      marks: marks.subarray(at, until),
      levels: levels.subarray(at, until),
    })
  return valuesById
}

export type AllocationEnergies = { producers: PointCurve[]; consumers: PointCurve[]; levels: MemberReadingLevels[] }

/** The energies of every point over part of a run, and what the figures of each rest on. */
export async function loadEnergies(db: Db, input: RunInput, period: Period): Promise<AllocationEnergies> {
  const { companyId, step, consumers, producers, batteries, estimated, estimateBy } = input
  const active = buildActiveRanges(input, period)
  const sides = { consumers, producers, batteries }
  const curves = await loadEnergyValues(db, { ...period, ...sides, companyId, step, estimated, estimateBy })
  const levels: MemberReadingLevels[] = []
  const curveOf = (id: string): PointCurve => {
    const own = active.get(id) ?? []
    const found = curves.get(id)
    const point = { id, active: own, ...(batteries.includes(id) && { storage: true }) }
    if (!found) return { ...point, values: new Int32Array(0) }
    if (own.length > 0) levels.push(countMemberLevels(id, found, own, period, step))
    return { ...point, values: found.values }
  }
  return { consumers: consumers.map(curveOf), producers: producers.map(curveOf), levels }
}
