import type { MethodResult } from '@voisol/contract/keys'
import { seatName } from '@voisol/contract/points'
import type { KeySpan } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { rates } from '@voisol/energy/metrics'
import type { z } from 'zod'
import { sideBySide } from '../../../compute/side-by-side.ts'
import { findOperation } from '../../../core/operation.ts'
import { keySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  loadInput,
  monthsOf,
  type RunInput,
  readEnergies,
  requireMembers,
  requirePeriod,
} from '../allocations/allocations.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import type { MonthToTry, MonthTried } from './compare-task.ts'
import { inequality } from './inequality.ts'

type Result = z.infer<typeof MethodResult>
type Sums = { candidate: Candidate; produced: number; shared: number; consumed: number[]; allocated: number[] }
type Comparing = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal }

/** Every method on what was measured, as if it had held for the whole period. */
export async function compareMethods(deps: Comparing, actor: Actor, operationId: string, { from, to }: Period) {
  const { db, compute, signal } = deps
  const { companyId } = actor
  await findOperation(db, actor, operationId)
  const input = await loadInput(db, { companyId, operationId, from, to, estimated: false })
  requirePeriod({ from, to }, 12)
  requireMembers(input)
  const all: Sums[] = (await candidatesOf(db, input)).map((candidate) => ({
    candidate,
    produced: 0,
    shared: 0,
    consumed: input.consumers.map(() => 0),
    allocated: input.consumers.map(() => 0),
  }))
  const counts = { steps: 0, excluded: 0 }
  const months = await sideBySide(monthsOf(input), async (month, options) => {
    const given = await readMonth(db, input, month, all)
    return { done: compute('keys.compare', given, { ...options, companyId, signal, moved: buffersOf(given) }) }
  })
  for (const tried of months)
    for (const [at, sums] of all.entries()) {
      const month = tried[at]
      if (!month) continue
      addMonth(sums, month)
      if (sums.candidate.version.method !== 'default') continue
      counts.steps += month.steps
      counts.excluded += month.excluded
    }
  return { from, to, ...counts, results: all.map((sums) => toResult(sums, input)) }
}

/** All that a month is computed from, for every candidate. */
async function readMonth(db: Db, input: RunInput, month: Period, all: Sums[]): Promise<MonthToTry> {
  const { producers, consumers } = await readEnergies(db, input, month)
  const methods: KeySpan[][] = []
  for (const { candidate } of all)
    methods.push(await keySpans(db, input, [{ version: candidate.version, from: month.from, to: month.to }], month))
  const steps = (dayStart(month.to) - dayStart(month.from)) / input.step
  return { steps, producers, consumers, methods }
}

/** Readings were made for this call: they are handed over. */
const buffersOf = ({ producers, consumers }: MonthToTry) => [
  ...new Set([...producers, ...consumers].map(({ values }) => values.buffer as ArrayBuffer)), // never shared between threads
]

function addMonth(sums: Sums, { produced, shared, consumed, allocated }: MonthTried): void {
  sums.produced += produced
  sums.shared += shared
  for (const [i, value] of consumed.entries()) sums.consumed[i] = (sums.consumed[i] ?? 0) + value
  for (const [i, value] of allocated.entries()) sums.allocated[i] = (sums.allocated[i] ?? 0) + value
}

const coverage = (allocated: number, consumed: number) => rates({ produced: 0, allocated, consumed }).selfProduction
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

function toResult({ candidate, produced, shared, consumed, allocated }: Sums, input: RunInput): Result {
  const { consumers, members, batteries } = input
  const labels = new Map(members.map(({ pointId, label, holder, prm }) => [pointId, seatName(label, holder) || prm]))
  const people = consumers.flatMap((id, i) => (batteries.includes(id) ? [] : [i]))
  const [drawn, local] = [total(people.map((i) => consumed[i] ?? 0)), total(people.map((i) => allocated[i] ?? 0))]
  return {
    method: candidate.version.method,
    keyId: candidate.keyId,
    label: candidate.label,
    shares: candidate.keyId === null ? candidate.version.shares : [],
    produced,
    allocated: local,
    surplus: produced - shared,
    consumed: drawn,
    selfConsumption: rates({ produced, allocated: shared, consumed: 0 }).selfConsumption,
    selfProduction: coverage(local, drawn),
    inequality: inequality(people.map((i) => coverage(allocated[i] ?? 0, consumed[i] ?? 0))),
    consumers: consumers.map((pointId, i) => ({
      pointId,
      ...(batteries.includes(pointId) && { storage: true }),
      label: labels.get(pointId) ?? pointId,
      consumed: consumed[i] ?? 0,
      allocated: allocated[i] ?? 0,
    })),
  }
}
