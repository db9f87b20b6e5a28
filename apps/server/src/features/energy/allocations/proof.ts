import { setImmediate } from 'node:timers/promises'
import { dayStart } from '@voisol/energy/calendar'
import { retiredBefore } from '../../../core/retired.ts'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { monthsOf } from './compute.ts'
import { hashSums } from './kept-hash.ts'
import { byClass, byPair, createResultHash } from './result-hash.ts'
import type { RunRow } from './runs.ts'
import { doneRun, knownEnergies, stepOf } from './steps.ts'
import { readDays, readPairs, readTotals, type StoredDay } from './stored-days.ts'

type Checks = { steps: number; checked: number; broken: number; above: number }

/** Holds the stored figures against the rules again, step by step, and against the hash of the run. */
export async function proveRun(db: Db, actor: Actor, id: string) {
  const run = await doneRun(db, actor, id)
  const before = await retiredBefore(db, run.companyId)
  if (before !== null && run.startsOn < before) return proveSums(db, run, before)
  const hash = createResultHash()
  const checks: Checks = { steps: 0, checked: 0, broken: 0, above: 0 }
  for (const month of monthsOf({ from: run.startsOn, to: run.endsOn })) {
    const stored = await readDays(db, run, month.from, month.to)
    for (const row of stored) hash.day(row)
    await checkDays(db, run, month, stored, checks)
    await setImmediate()
  }
  for (const row of (await readTotals(db, run)).sort(byClass)) hash.total(row)
  for (const row of (await readPairs(db, run)).sort(byPair)) hash.pair(row)
  const resultHash = hash.digest()
  return { ...checks, resultHash, sameHash: resultHash === run.resultHash, retiredBefore: null }
}

/** Where the steps have gone: what was shared is what was given, day by day, and the sums are those there were. */
async function proveSums(db: Db, run: RunRow, before: string) {
  const checks: Checks = { steps: 0, checked: 0, broken: 0, above: 0 }
  for (const month of monthsOf({ from: run.startsOn, to: run.endsOn })) {
    const stored = await readDays(db, run, month.from, month.to)
    for (const rows of Map.groupBy(stored, ({ day }) => day).values()) checkSums(rows, checks)
  }
  const same = run.keptHash !== null && (await hashSums(db, run)) === run.keptHash
  return { ...checks, resultHash: run.resultHash ?? '', sameHash: same, retiredBefore: before }
}

function checkSums(rows: StoredDay[], checks: Checks) {
  let [got, given] = [0, 0]
  for (const { direction, local } of rows) {
    if (direction === 'consumption') got += local
    else given += local
  }
  checks.steps++
  checks.checked++
  if (got !== given) checks.broken++
  if (rows.some(({ local, total }) => local > total)) checks.above++
}

async function checkDays(db: Db, run: RunRow, month: Period, stored: StoredDay[], checks: Checks) {
  const energies = await knownEnergies(db, run, month, stored)
  const origin = dayStart(month.from)
  for (const [day, rows] of Map.groupBy(stored, (row) => row.day)) {
    const [first] = rows
    if (!first) continue
    const offset = (dayStart(day) - origin) / stepOf(first)
    const points = rows.map(({ pointId, direction, storage, allocated }) => ({
      consumes: direction === 'consumption',
      storage,
      allocated,
      total: energies.get(pointId)?.subarray(offset),
    }))
    for (let at = 0; at < first.allocated.length; at++) checkStep(points, at, checks)
  }
}

type Point = { consumes: boolean; storage: boolean; allocated: Int32Array; total: Int32Array | undefined }

/**
 * What consumers got is what producers gave; nobody got more than consumed, nobody gave more than injected; what batteries
 * stored was given by others than batteries.
 */
function checkStep(points: Point[], at: number, checks: Checks) {
  let [got, given, open, greedy, generous] = [0, 0, false, false, false]
  let direct = 0
  for (const { consumes, storage, allocated, total } of points) {
    const local = allocated[at] ?? -1
    if (local < 0) continue
    open = true
    if (consumes === storage) direct += storage ? -local : local
    if (consumes) got += local
    else given += local
    const over = total !== undefined && local > Math.max(0, total[at] ?? 0)
    if (over && consumes) greedy = true
    else if (over) generous = true
  }
  checks.steps++
  if (!open) return
  checks.checked++
  if (got !== given || generous || direct < 0) checks.broken++
  if (greedy) checks.above++
}
