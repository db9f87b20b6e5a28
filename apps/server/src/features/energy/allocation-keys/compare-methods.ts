import type { MethodResult } from '@voisol/contract/keys'
import { formatDwellingName } from '@voisol/contract/points'
import type { AllocationMethod } from '@voisol/contract/primitives'
import type { KeySpan } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { computeProportionalShares, findKeyProblems } from '@voisol/energy/keys'
import { computeRates } from '@voisol/energy/metrics'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import {
  type KeyVersion,
  type KeyVersionShare,
  loadKeySpans,
  loadKeys,
  type Period,
  restrictKeyToPoints,
  toEngineKey,
} from '../../../core/allocation-keys.ts'
import { KEY_METHOD_LABELS } from '../../../core/labels.ts'
import { buildSubPeriods, type OperationMember } from '../../../core/operation-members.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { computeInParallel } from '../../../workers/compute-in-parallel.ts'
import {
  loadEnergies,
  loadRunInput,
  type RunInput,
  requireBothSides,
  requireRunPeriod,
  splitIntoMonths,
} from '../allocation/index.ts'
import { loadCoefficientRange } from './check-key.ts'
import type { CompareMonthInput, KeyMonthResult } from './compare-task.ts'

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

/** A key simulated on the operation's history. */
type KeyCandidate = { keyId: string | null; label: string; version: KeyVersion }
type ComparisonSubject = {
  companyId: number
  operationId: string
  from: string
  to: string
  members: OperationMember[]
}

/** Consumption of each consumer during its participation, in watt-minutes. */
async function loadConsumptions(
  db: Db,
  { companyId, operationId, from, to }: ComparisonSubject,
): Promise<[string, number][]> {
  const { rows } = await db.execute<{ id: string; energy: string }>(sql`
    select d.point_id as id, sum(d.energy) as energy
      from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.direction = 'consumption'
      join curve_days d on d.company_id = m.company_id and d.point_id = m.point_id and d.superseded_at is null
     where m.company_id = ${companyId} and m.operation_id = ${operationId} and d.day >= ${from} and d.day < ${to}
       and d.day >= m.starts_on and (m.ends_on is null or d.day < m.ends_on)
     group by 1 order by 2, 1`)
  return rows.map(({ id, energy }) => [id, Number(energy)])
}

const toShare = (pointId: string, value: number | null, rank: number | null): KeyVersionShare => ({
  pointId,
  producerId: null,
  share: value,
  rank,
})

const findLatestVersionWith = (versions: KeyVersion[], has: (share: KeyVersionShare) => boolean) => {
  const adopted = versions.filter((version) => version.status === 'adopted')
  return [...versions, ...adopted].findLast(({ shares }) => shares.some(has))
}

type ShareBasis = { shares: KeyVersionShare[]; words: string }

/** The shares of the key if it has some, otherwise each consumer's part of the consumption. */
function getSharesBasis(versions: KeyVersion[], drawn: [string, number][]): ShareBasis {
  const own = findLatestVersionWith(versions, (s) => s.share !== null && s.producerId === null)
  if (own) return { shares: own.shares, words: `parts de la version ${own.number}` }
  const parts = computeProportionalShares(drawn.map(([, energy]) => energy))
  return {
    shares: drawn.map(([id], at) => toShare(id, parts[at] ?? 0, null)),
    words: 'parts selon la consommation de la période',
  }
}

/** The ranks of the key if it has some, otherwise the smallest consumers first. */
function getRanksBasis(versions: KeyVersion[], drawn: [string, number][]): ShareBasis {
  const own = findLatestVersionWith(versions, ({ rank }) => rank !== null)
  if (own) return { shares: own.shares, words: `rangs de la version ${own.number}` }
  return {
    shares: drawn.map(([id], at) => toShare(id, null, at + 1)),
    words: 'rangs par consommation croissante',
  }
}

/** A key made for other members may exceed 100 % among these. */
function isApplicable({ version }: KeyCandidate, { members, from, to }: ComparisonSubject): boolean {
  if (version.method === 'simple' || version.method === 'complete') return true
  const key = toEngineKey(version, [])
  return buildSubPeriods(members, { from, to }).every(({ consumers, producers }) =>
    findKeyProblems(restrictKeyToPoints(key, consumers, producers), consumers, producers).every(
      ({ code }) => code !== 'over',
    ),
  )
}

/** Every method, and each version that could be adopted or has its own coefficients. */
async function listKeyCandidates(db: Db, subject: ComparisonSubject): Promise<KeyCandidate[]> {
  const versions = await loadKeys(db, subject.companyId, subject.operationId)
  const consumptionByPoint = await loadConsumptions(db, subject)
  const shares = getSharesBasis(versions, consumptionByPoint)
  const ranks = getRanksBasis(versions, consumptionByPoint)
  const toMethodCandidate = (method: AllocationMethod, basis?: ShareBasis): KeyCandidate => ({
    keyId: null,
    label: basis ? `${KEY_METHOD_LABELS[method]} (${basis.words})` : KEY_METHOD_LABELS[method],
    version: buildUnsavedVersion(subject, method, basis?.shares ?? []),
  })
  const methods = [
    toMethodCandidate('static', shares),
    toMethodCandidate('default'),
    toMethodCandidate('priority', ranks),
    toMethodCandidate('redistributed', shares),
    toMethodCandidate('equal'),
  ]
  const own: KeyCandidate[] = []
  for (const version of versions) {
    const curves = version.method === 'simple' || version.method === 'complete'
    const hasCoefficients =
      curves && (version.shares.length > 0 || (await loadCoefficientRange(db, version)) !== undefined)
    if (version.status === 'draft' ? !curves || hasCoefficients : hasCoefficients) own.push(toKeyCandidate(version))
  }
  return [...methods, ...own].filter((candidate) => isApplicable(candidate, subject))
}

const toKeyCandidate = (version: KeyVersion): KeyCandidate => ({
  keyId: version.id,
  label: `Version ${version.number}${version.status === 'draft' ? ' (brouillon)' : ''}\u00a0: ${KEY_METHOD_LABELS[version.method]}`,
  version,
})

const buildUnsavedVersion = (
  { companyId, operationId, from }: ComparisonSubject,
  method: AllocationMethod,
  shares: KeyVersionShare[],
): KeyVersion => ({
  companyId,
  operationId,
  method,
  shares,
  id: '',
  number: 0,
  label: '',
  status: 'draft',
  startsOn: from,
  decimals: 1,
  createdAt: new Date(0),
  version: 1,
})

/** Gini index of the coverage of consumers: 0 when all are covered equally, near 1 when one gets everything. */
export function computeGiniIndex(rates: (number | null)[]): number | null {
  const sorted = rates.filter((rate) => rate !== null).sort((a, b) => a - b)
  const sum = sorted.reduce((all, rate) => all + rate, 0)
  if (sum === 0) return null
  const ranked = sorted.reduce((all, rate, at) => all + (at + 1) * rate, 0)
  const index = (2 * ranked) / (sorted.length * sum) - (sorted.length + 1) / sorted.length
  // Equal rates may give a rounding error below zero.
  return Math.max(0, index)
}
