import { setImmediate } from 'node:timers/promises'
import type { PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { estimateByProfile, estimateGaps } from '@voisol/energy/estimate'
import type { Step } from '@voisol/energy/series'
import { buildActiveRanges, type Period } from '../../../core/allocation-keys.ts'
import { ESTIMATE_WINDOW_DAYS } from '../../../core/outdated-runs.ts'
import type { Db } from '../../../db/client.ts'
import { loadAlignedCurves } from '../curves/index.ts'
import { countMemberLevels, type EnergyValues, type MemberReadingLevels } from './reading-levels.ts'
import type { EstimateBy, RunInput } from './run-input.ts'

type EnergySelection = Period & {
  companyId: number
  consumers: string[]
  producers: string[]
  /** Batteries are left out of the profile that estimates are made from. */
  batteries?: string[]
  step: Step
  estimated: boolean
  estimateBy: EstimateBy
  knownAt?: Date | undefined
}

/**
 * Measured values; with `estimated`, missing ones are estimated from other days or, on request, from the other meters.
 */
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
    // A battery follows its owner's orders, so its profile and those of the others say nothing about each other.
    const group = (ids: string[]) => ids.flatMap((id) => (batteries.includes(id) ? [] : (valuesById.get(id) ?? [])))
    estimateByProfile(group(consumers), { blank: true })
    // A plant without any reading has no known size, so its production is not estimated from other plants.
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

/** The energies of every point over part of a run, and their data quality. */
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
