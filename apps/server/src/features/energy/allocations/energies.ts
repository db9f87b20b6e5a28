import { setImmediate } from 'node:timers/promises'
import type { PointCurve } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { estimateGaps } from '@voisol/energy/estimate'
import type { Step } from '@voisol/energy/series'
import type { Period } from '../../../core/spans.ts'
import { activeRanges } from '../../../core/spans.ts'
import { ESTIMATE_DAYS } from '../../../core/stale.ts'
import type { Db } from '../../../db/client.ts'
import { readAligned } from '../curves/curves.ts'
import type { RunInput } from './input.ts'

type Selection = Period & {
  companyId: number
  pointIds: string[]
  step: Step
  estimated: boolean
  knownAt?: Date | undefined
}
/** Watt-minutes per step, and with an estimate 1 where it stands in. */
type Values = { values: Int32Array; filled: Uint8Array | null }

/** What was measured; with `estimated`, holes are filled where the weeks before allow it. */
export async function readValues(db: Db, selection: Selection): Promise<Map<string, Values>> {
  const { companyId, pointIds, from, to, step, estimated, knownAt } = selection
  const first = estimated ? addDays(from, -ESTIMATE_DAYS) : from
  const curves = await readAligned(db, companyId, pointIds, first, to, step, { knownAt })
  const found = new Map<string, Values>()
  const before = (dayStart(from) - dayStart(first)) / step
  for (const [id, { values }] of curves) {
    if (!estimated) found.set(id, { values, filled: null })
    else {
      const whole = estimateGaps({ startsAt: dayStart(first), step, watts: values })
      found.set(id, { values: whole.values.subarray(before), filled: whole.estimated.subarray(before) })
      await setImmediate()
    }
  }
  return found
}

export type Energies = { producers: PointCurve[]; consumers: PointCurve[]; estimated: number }

/** The energies of every point over part of a run, and how many of them an estimate stands for. */
export async function readEnergies(db: Db, input: RunInput, period: Period): Promise<Energies> {
  const { companyId, step, consumers, producers, estimated } = input
  const active = activeRanges(input, period)
  const pointIds = [...consumers, ...producers]
  const curves = await readValues(db, { ...period, companyId, pointIds, step, estimated })
  let count = 0
  const curveOf = (id: string): PointCurve => {
    const { values = new Int32Array(0), filled = null } = curves.get(id) ?? {}
    const own = active.get(id) ?? []
    if (filled) for (const [from, to] of own) for (let at = from; at < to; at++) count += filled[at] ?? 0
    return { id, values, active: own }
  }
  return { consumers: consumers.map(curveOf), producers: producers.map(curveOf), estimated: count }
}
