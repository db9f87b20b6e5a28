import { setImmediate } from 'node:timers/promises'
import type { MethodResult } from '@voisol/contract/keys'
import { allocate } from '@voisol/energy/allocate'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { rates } from '@voisol/energy/metrics'
import { sumKnown } from '@voisol/energy/series'
import type { z } from 'zod'
import { keySpans, type Period, sliceCurves, sliceSpans } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/session.ts'
import {
  type Energies,
  loadInput,
  monthsOf,
  piecesOf,
  type RunInput,
  readEnergies,
  requireMembers,
  requirePeriod,
} from '../allocations/allocations.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { inequality } from './inequality.ts'

type Result = z.infer<typeof MethodResult>
type Sums = { candidate: Candidate; produced: number; consumed: number[]; allocated: number[] }
type Counts = { steps: number; excluded: number }

/** Every method on what was measured, as if it had held for the whole period. */
export async function compareMethods(db: Db, actor: Actor, operationId: string, { from, to }: Period) {
  const wanted = { companyId: actor.companyId, operationId, from, to, estimated: false }
  const input = await loadInput(db, wanted)
  requirePeriod({ from, to }, 12)
  requireMembers(input)
  const all: Sums[] = (await candidatesOf(db, input)).map((candidate) => ({
    candidate,
    produced: 0,
    consumed: input.consumers.map(() => 0),
    allocated: input.consumers.map(() => 0),
  }))
  const counts: Counts = { steps: 0, excluded: 0 }
  for (const month of monthsOf(input)) {
    const energies = await readEnergies(db, input, month)
    for (const sums of all) {
      const done = await tryMonth(db, input, month, energies, sums)
      if (sums.candidate.version.method !== 'default') continue
      counts.steps += done.steps
      counts.excluded += done.excluded
    }
  }
  return { from, to, ...counts, results: all.map((sums) => toResult(sums, input)) }
}

async function tryMonth(db: Db, input: RunInput, month: Period, energies: Energies, sums: Sums): Promise<Counts> {
  const held = { version: sums.candidate.version, from: month.from, to: month.to }
  const spans = await keySpans(db, input, [held], month)
  const origin = dayStart(month.from)
  const counts: Counts = { steps: 0, excluded: 0 }
  for (const days of piecesOf(input, month)) {
    const [first = '', last = ''] = [days[0], days.at(-1)]
    const from = (dayStart(first) - origin) / input.step
    const to = (dayStart(addDays(last, 1)) - origin) / input.step
    const {
      consumed,
      allocated,
      produced,
      counts: own,
    } = allocate({
      steps: to - from,
      producers: sliceCurves(energies.producers, from, to),
      consumers: sliceCurves(energies.consumers, from, to),
      keys: sliceSpans(spans, from, to),
    })
    for (const values of produced) sums.produced += sumKnown(values)
    for (const [i, values] of consumed.entries()) sums.consumed[i] = (sums.consumed[i] ?? 0) + sumKnown(values)
    for (const [i, values] of allocated.entries()) sums.allocated[i] = (sums.allocated[i] ?? 0) + sumKnown(values)
    counts.steps += own.steps
    counts.excluded += own.excluded
    // A year of several methods takes a while: others have their turn.
    await setImmediate()
  }
  return counts
}

const wattHours = (wattMinutes: number) => Math.round(wattMinutes / 60)
const coverage = (allocated: number, consumed: number) => rates({ produced: 0, allocated, consumed }).selfProduction
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

function toResult({ candidate, produced, consumed, allocated }: Sums, { consumers, members }: RunInput): Result {
  const labels = new Map(members.map(({ pointId, label, prm }) => [pointId, label || prm]))
  const [drawn, local] = [total(consumed), total(allocated)]
  const { selfConsumption, selfProduction } = rates({ produced, allocated: local, consumed: drawn })
  return {
    method: candidate.version.method,
    keyId: candidate.keyId,
    label: candidate.label,
    produced: wattHours(produced),
    allocated: wattHours(local),
    surplus: wattHours(produced - local),
    consumed: wattHours(drawn),
    selfConsumption,
    selfProduction,
    inequality: inequality(consumed.map((whole, i) => coverage(allocated[i] ?? 0, whole))),
    consumers: consumers.map((pointId, i) => ({
      pointId,
      label: labels.get(pointId) ?? pointId,
      consumed: wattHours(consumed[i] ?? 0),
      allocated: wattHours(allocated[i] ?? 0),
    })),
  }
}
