import { setImmediate } from 'node:timers/promises'
import { dayStart } from '@voisol/energy/calendar'
import { and, eq, gte, isNull, lt } from 'drizzle-orm'
import type { Period } from '../../../core/allocation-keys.ts'
import { loadFirstRetainedDay } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { RunRow } from './allocation-runs.ts'
import { comparePairRows, compareTotalRows, createResultHash } from './result-rows.ts'
import { splitIntoMonths } from './run-parts.ts'
import { loadRunDayRows, loadRunPairRows, loadRunTotalRows, type StoredRunDay } from './run-results.ts'
import { getStoredStep, loadKnownEnergies, requireDoneRun } from './run-steps.ts'

type ProofChecks = { steps: number; checked: number; broken: number; above: number }

/** Verifies the stored figures step by step against the allocation rules and the run's hash. */
export async function verifyRun(db: Db, actor: Actor, id: string) {
  const run = await requireDoneRun(db, actor, id)
  const before = await loadFirstRetainedDay(db, run.companyId)
  if (before !== null && run.startsOn < before) return verifySums(db, run, before)
  const hash = createResultHash()
  const checks: ProofChecks = { steps: 0, checked: 0, broken: 0, above: 0 }
  for (const month of splitIntoMonths({ from: run.startsOn, to: run.endsOn })) {
    const stored = await loadRunDayRows(db, run, month.from, month.to)
    for (const row of stored) hash.day(row)
    await checkMonthDays(db, run, month, stored, checks)
    await setImmediate()
  }
  for (const row of (await loadRunTotalRows(db, run)).sort(compareTotalRows)) hash.total(row)
  for (const row of (await loadRunPairRows(db, run)).sort(comparePairRows)) hash.pair(row)
  const resultHash = hash.digest()
  return { ...checks, resultHash, sameHash: resultHash === run.resultHash, retiredBefore: null }
}

/**
 * When steps were deleted: checks that shared and received energy are equal day by day, and that the sums have their
 * hash.
 */
async function verifySums(db: Db, run: RunRow, before: string) {
  const checks: ProofChecks = { steps: 0, checked: 0, broken: 0, above: 0 }
  for (const month of splitIntoMonths({ from: run.startsOn, to: run.endsOn })) {
    const stored = await loadRunDayRows(db, run, month.from, month.to)
    for (const rows of Map.groupBy(stored, ({ day }) => day).values()) checkDaySums(rows, checks)
  }
  const isSameHash = run.keptHash !== null && (await computeSumsHash(db, run)) === run.keptHash
  return { ...checks, resultHash: run.resultHash ?? '', sameHash: isSameHash, retiredBefore: before }
}

function checkDaySums(rows: StoredRunDay[], checks: ProofChecks) {
  let [received, given] = [0, 0]
  for (const { direction, local } of rows) {
    if (direction === 'consumption') received += local
    else given += local
  }
  checks.steps++
  checks.checked++
  if (received !== given) checks.broken++
  if (rows.some(({ local, total }) => local > total)) checks.above++
}

async function checkMonthDays(db: Db, run: RunRow, month: Period, stored: StoredRunDay[], checks: ProofChecks) {
  const energies = await loadKnownEnergies(db, run, month, stored)
  const origin = dayStart(month.from)
  for (const [day, rows] of Map.groupBy(stored, (row) => row.day)) {
    const [first] = rows
    if (!first) continue
    const offset = (dayStart(day) - origin) / getStoredStep(first)
    const points = rows.map(({ pointId, direction, storage, allocated }) => ({
      consumes: direction === 'consumption',
      storage,
      allocated,
      total: energies.get(pointId)?.subarray(offset),
    }))
    for (let at = 0; at < first.allocated.length; at++) checkStep(points, at, checks)
  }
}

type CheckedPoint = { consumes: boolean; storage: boolean; allocated: Int32Array; total: Int32Array | undefined }

/**
 * Checks a step: consumers received what producers gave, no point got or gave more than its meter shows, and batteries
 * stored only energy from other sources.
 */
function checkStep(points: CheckedPoint[], at: number, checks: ProofChecks) {
  let [received, given, hasValue, aboveConsumption, aboveProduction] = [0, 0, false, false, false]
  let direct = 0
  for (const { consumes, storage, allocated, total } of points) {
    const local = allocated[at] ?? -1
    if (local < 0) continue
    hasValue = true
    if (consumes === storage) direct += storage ? -local : local
    if (consumes) received += local
    else given += local
    const over = total !== undefined && local > Math.max(0, total[at] ?? 0)
    if (over && consumes) aboveConsumption = true
    else if (over) aboveProduction = true
  }
  checks.steps++
  if (!hasValue) return
  checks.checked++
  if (received !== given || aboveProduction || direct < 0) checks.broken++
  if (aboveConsumption) checks.above++
}

const NO_STEPS = new Int32Array(0)

/** The hash of a run's sums only: by day, by class and by pair. */
async function computeSumsHash(db: Db, run: Pick<RunRow, 'companyId' | 'id' | 'startsOn' | 'endsOn'>): Promise<string> {
  const hash = createResultHash()
  for (const { from, to } of splitIntoMonths({ from: run.startsOn, to: run.endsOn }))
    for (const row of await loadRunDayRows(db, run, from, to)) hash.day({ ...row, allocated: NO_STEPS })
  for (const row of (await loadRunTotalRows(db, run)).sort(compareTotalRows)) hash.total(row)
  for (const row of (await loadRunPairRows(db, run)).sort(comparePairRows)) hash.pair(row)
  return hash.digest()
}

/** Before the steps of a month are deleted, hashes the sums of each run over it, for verification afterwards. */
export async function storeSumsHashes(
  tx: Db,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const runs = await tx
    .select()
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.status, 'done'),
        isNull(allocationRuns.keptHash),
        lt(allocationRuns.startsOn, to),
        gte(allocationRuns.endsOn, from),
      ),
    )
  for (const run of runs)
    await tx
      .update(allocationRuns)
      .set({ keptHash: await computeSumsHash(tx, run) })
      .where(and(eq(allocationRuns.companyId, companyId), eq(allocationRuns.id, run.id)))
}
