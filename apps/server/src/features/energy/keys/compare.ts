import type { MethodResult } from '@voisol/contract/keys'
import { formatDwellingName } from '@voisol/contract/points'
import type { KeySpan } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { computeRates } from '@voisol/energy/metrics'
import type { z } from 'zod'
import { computeInParallel } from '../../../compute/side-by-side.ts'
import { requireVisibleOperation } from '../../../core/operation.ts'
import { loadKeySpans, type Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  loadEnergies,
  loadRunInput,
  type RunInput,
  requireBothSides,
  requireRunPeriod,
  splitIntoMonths,
} from '../allocations/allocations.ts'
import { type KeyCandidate, listKeyCandidates } from './candidates.ts'
import type { CompareMonthInput, KeyMonthResult } from './compare-task.ts'
import { computeGiniIndex } from './inequality.ts'

type MethodResultView = z.infer<typeof MethodResult>
type MethodSums = { candidate: KeyCandidate; produced: number; shared: number; consumed: number[]; allocated: number[] }
type CompareDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal }

/** Simulates every method on measured data, as if it had applied for the whole period. */
export async function compareKeyMethods(deps: CompareDeps, actor: Actor, operationId: string, { from, to }: Period) {
  const { db, compute, signal } = deps
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const input = await loadRunInput(db, { companyId, operationId, from, to, estimated: false })
  requireRunPeriod({ from, to }, 12)
  requireBothSides(input)
  const all: MethodSums[] = (await listKeyCandidates(db, input)).map((candidate) => ({
    candidate,
    produced: 0,
    shared: 0,
    consumed: input.consumers.map(() => 0),
    allocated: input.consumers.map(() => 0),
  }))
  const counts = { steps: 0, excluded: 0 }
  const months = await computeInParallel(splitIntoMonths(input), async (month, options) => {
    const monthInput = await loadMonthInput(db, input, month, all)
    return {
      done: compute('keys.compare', monthInput, {
        ...options,
        companyId,
        signal,
        moved: listTransferableBuffers(monthInput),
      }),
    }
  })
  for (const monthComparison of months)
    for (const [at, sums] of all.entries()) {
      const month = monthComparison[at]
      if (!month) continue
      addMonth(sums, month)
      if (sums.candidate.version.method !== 'default') continue
      counts.steps += month.steps
      counts.excluded += month.excluded
    }
  return { from, to, ...counts, results: all.map((sums) => toMethodResult(sums, input)) }
}

/** The input of a month, for every candidate. */
async function loadMonthInput(db: Db, input: RunInput, month: Period, all: MethodSums[]): Promise<CompareMonthInput> {
  const { producers, consumers } = await loadEnergies(db, input, month)
  const methods: KeySpan[][] = []
  for (const { candidate } of all)
    methods.push(await loadKeySpans(db, input, [{ version: candidate.version, from: month.from, to: month.to }], month))
  const steps = (dayStart(month.to) - dayStart(month.from)) / input.step
  return { steps, producers, consumers, methods }
}

/** Buffers of readings made for this call are transferred to the thread. */
const listTransferableBuffers = ({ producers, consumers }: CompareMonthInput) => [
  ...new Set([...producers, ...consumers].map(({ values }) => values.buffer as ArrayBuffer)), // never shared between threads
]

function addMonth(sums: MethodSums, { produced, shared, consumed, allocated }: KeyMonthResult): void {
  sums.produced += produced
  sums.shared += shared
  for (const [i, value] of consumed.entries()) sums.consumed[i] = (sums.consumed[i] ?? 0) + value
  for (const [i, value] of allocated.entries()) sums.allocated[i] = (sums.allocated[i] ?? 0) + value
}

const computeCoverage = (allocated: number, consumed: number) =>
  computeRates({ produced: 0, allocated, consumed }).selfProduction
const sumValues = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

function toMethodResult(
  { candidate, produced, shared, consumed, allocated }: MethodSums,
  input: RunInput,
): MethodResultView {
  const { consumers, members, batteries } = input
  const labels = new Map(
    members.map(({ pointId, label, holder, prm }) => [pointId, formatDwellingName(label, holder) || prm]),
  )
  const consumerIndexes = consumers.flatMap((id, i) => (batteries.includes(id) ? [] : [i]))
  const [totalConsumed, local] = [
    sumValues(consumerIndexes.map((i) => consumed[i] ?? 0)),
    sumValues(consumerIndexes.map((i) => allocated[i] ?? 0)),
  ]
  return {
    method: candidate.version.method,
    keyId: candidate.keyId,
    label: candidate.label,
    shares: candidate.keyId === null ? candidate.version.shares : [],
    produced,
    allocated: local,
    surplus: produced - shared,
    consumed: totalConsumed,
    selfConsumption: computeRates({ produced, allocated: shared, consumed: 0 }).selfConsumption,
    selfProduction: computeCoverage(local, totalConsumed),
    inequality: computeGiniIndex(consumerIndexes.map((i) => computeCoverage(allocated[i] ?? 0, consumed[i] ?? 0))),
    consumers: consumers.map((pointId, i) => ({
      pointId,
      ...(batteries.includes(pointId) && { storage: true }),
      label: labels.get(pointId) ?? pointId,
      consumed: consumed[i] ?? 0,
      allocated: allocated[i] ?? 0,
    })),
  }
}
