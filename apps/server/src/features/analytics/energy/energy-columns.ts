import type { EnergySeries, Granularity } from '@voisol/contract/energy'
import { dayStart, listDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { type AlignedCurve, loadAlignedCurves } from '../../energy/curves/index.ts'
import { loadPeriodData, toWh } from './energy-totals.ts'
import { getSideIndex, type Member } from './member-scope.ts'
import { type MemberPeriod, type MemberRunPeriod, type Period, splitByRun } from './periods.ts'

export type SideColumns = {
  /** Watt-minutes read, and the number of readings. */
  read: Float64Array
  known: Uint32Array
  /** Energy allocated by a run, the rest, and the number of steps. */
  local: Float64Array
  rest: Float64Array
  held: Uint32Array
  heldRest: Uint32Array
}
/** In the order of an operation's groups; batteries are separate. */
export const SIDE_NAMES = ['consumption', 'production', 'charge', 'release'] as const
export type EnergyColumns = Record<(typeof SIDE_NAMES)[number], SideColumns> & {
  starts: number[]
  step: number | null
  stores: boolean
  marks: Uint8Array
}

const createSideColumns = (length: number): SideColumns => ({
  read: new Float64Array(length),
  known: new Uint32Array(length),
  local: new Float64Array(length),
  rest: new Float64Array(length),
  held: new Uint32Array(length),
  heldRest: new Uint32Array(length),
})

/** No mark yet; no reading has this mark. */
export const NO_MARK = 255

export const createEnergyColumns = (
  starts: number[],
  step: number | null,
  members: { storage: boolean }[],
): EnergyColumns => ({
  starts,
  step,
  stores: members.some(({ storage }) => storage),
  consumption: createSideColumns(starts.length),
  production: createSideColumns(starts.length),
  charge: createSideColumns(starts.length),
  release: createSideColumns(starts.length),
  marks: new Uint8Array(starts.length).fill(NO_MARK),
})

/** From worst to best: missing, estimated, corrected, raw. */
export function applyWorstMark(marks: Uint8Array, at: number, mark: number): void {
  const known = marks[at] ?? NO_MARK
  if (known === NO_MARK || mark === 0) marks[at] = mark
  else if (known !== 0 && mark > known) marks[at] = mark
}

const toWhColumn = (values: Float64Array, counts: Uint32Array) =>
  Array.from(values, (value, at) => (counts[at] ? toWh(value) : null))

const toStorageSeries = ({ charge, release }: EnergyColumns) => ({
  charged: toWhColumn(charge.read, charge.known),
  stored: toWhColumn(charge.local, charge.held),
  released: toWhColumn(release.read, release.known),
  restored: toWhColumn(release.local, release.held),
})

export function toEnergySeries(columns: EnergyColumns, granularity: Granularity): EnergySeries {
  const { starts, step, consumption, production, marks, stores } = columns
  return {
    granularity,
    starts: starts.map((minute) => new Date(minute * 60_000).toISOString()),
    step,
    produced: toWhColumn(production.read, production.known),
    shared: toWhColumn(production.local, production.held),
    surplus: toWhColumn(production.rest, production.heldRest),
    consumed: toWhColumn(consumption.read, consumption.known),
    allocated: toWhColumn(consumption.local, consumption.held),
    complement: toWhColumn(consumption.rest, consumption.heldRest),
    ...(stores && { storage: toStorageSeries(columns) }),
    marks: Array.from(marks, (mark) => (mark === NO_MARK ? 0 : mark)),
  }
}

/** The number of curves in memory at once. */
const MAX_POINTS_IN_MEMORY = 60

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

/** A quarter-hour, or the shortest longer step that is a multiple of all operations' steps. */
export function getCommonStep(members: Pick<Member, 'step'>[]): Step {
  const commonMultiple = members.reduce((step, own) => (step * own.step) / greatestCommonDivisor(step, own.step), 15)
  return STEPS.find((step) => step === commonMultiple) ?? 60
}

/** Sums quarter-hours and hours from the packed curves, some points at a time. */
export async function loadMemberStepColumns(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  granularity: '15min' | 'hour',
): Promise<EnergyColumns> {
  const step = getCommonStep(members)
  const frame = createStepFrame(members, period, step, granularity === 'hour' ? 60 : step)
  await addMemberSteps(db, companyId, members, period, frame, (pieces) => pieces)
  return frame.columns
}

export type StepFrame = { columns: EnergyColumns; origin: number; step: Step; parts: number; days: string[] }

/** Empty columns for the period, `width` minutes each, to which steps of `step` minutes are added. */
export function createStepFrame(
  members: { storage: boolean }[],
  { from, to }: Period,
  step: Step,
  width: number,
): StepFrame {
  const origin = dayStart(from)
  const length = (dayStart(to) - origin) / width
  const starts = Array.from({ length }, (_, at) => origin + at * width)
  return {
    columns: createEnergyColumns(starts, width, members),
    origin,
    step,
    parts: width / step,
    days: listDays(from, to),
  }
}

/** Adds curves and run results of the members for the requested parts of their days. */
export async function addMemberSteps(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  frame: StepFrame,
  selectPeriods: (memberPeriods: MemberPeriod[]) => MemberPeriod[],
): Promise<void> {
  const { step } = frame
  const periodData = await loadPeriodData(db, companyId, members, period, getSideIndex)
  const memberPeriods = selectPeriods(periodData.pieces)
  const under = splitByRun(memberPeriods, periodData.held)
  const ids = [...new Set(memberPeriods.map(({ pointId }) => pointId))]
  for (let at = 0; at < ids.length; at += MAX_POINTS_IN_MEMORY) {
    const some = new Set(ids.slice(at, at + MAX_POINTS_IN_MEMORY))
    const ours = <P extends MemberPeriod>(memberPeriods: P[]) =>
      memberPeriods.filter(({ pointId }) => some.has(pointId))
    const [curves, packed] = await Promise.all([
      loadAlignedCurves(db, companyId, [...some], period.from, period.to, step),
      loadAllocatedDays(db, companyId, ours(under)),
    ])
    for (const piece of ours(memberPeriods)) addReadings(frame, piece, curves.get(piece.pointId))
    for (const day of packed) addAllocatedDay(frame, day, curves.get(day.piece.pointId))
  }
}

const getSideColumns = (columns: EnergyColumns, { group }: MemberPeriod) => columns[SIDE_NAMES[group] ?? 'consumption']

function addReadings(
  { columns, origin, step, parts }: StepFrame,
  memberPeriod: MemberPeriod,
  curve: AlignedCurve | undefined,
): void {
  const side = getSideColumns(columns, memberPeriod)
  const last = (dayStart(memberPeriod.hi) - origin) / step
  for (let at = (dayStart(memberPeriod.lo) - origin) / step; at < last; at++) {
    const bucket = Math.floor(at / parts)
    const value = curve?.values[at] ?? MISSING
    applyWorstMark(columns.marks, bucket, value < 0 ? 0 : (curve?.marks[at] ?? 0))
    if (value < 0) continue
    side.read[bucket] = (side.read[bucket] ?? 0) + value
    side.known[bucket] = (side.known[bucket] ?? 0) + 1
  }
}

type RunAllocatedDay = { piece: MemberRunPeriod; day: string; values: Int32Array }

/** Results of the runs in force, step by step. */
export async function loadAllocatedDays(
  db: Db,
  companyId: number,
  runPeriods: MemberRunPeriod[],
): Promise<RunAllocatedDay[]> {
  if (!runPeriods.length) return []
  const { rows } = await db.execute<{ n: number; day: string; allocated: Buffer }>(sql`
    select m.n::int - 1 as n, a.day::text as day, a.allocated
      from unnest(${sql.param(runPeriods.map(({ pointId }) => pointId))}::uuid[],
                  ${sql.param(runPeriods.map(({ runId }) => runId))}::uuid[],
                  ${sql.param(runPeriods.map(({ lo }) => lo))}::date[],
                  ${sql.param(runPeriods.map(({ hi }) => hi))}::date[]) with ordinality as m(point_id, run_id, lo, hi, n)
      cross join lateral (
        select day, allocated from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a`)
  return rows.flatMap(({ n, day, allocated }) => {
    const piece = runPeriods[n]
    return piece ? [{ piece, day, values: unpackInts(allocated) }] : []
  })
}

function addAllocatedDay(
  { columns, origin, step, parts }: StepFrame,
  { piece, day, values }: RunAllocatedDay,
  curve?: AlignedCurve,
): void {
  const side = getSideColumns(columns, piece)
  const minutes = minutesOfDay(day)
  const first = (dayStart(day) - origin) / step
  const inStep = step / (minutes / values.length)
  // A run computed at a coarser step has no value for its parts.
  if (!Number.isInteger(inStep)) return
  for (let at = 0; at < minutes / step; at++) {
    let local = 0
    for (let part = at * inStep; part < (at + 1) * inStep && local >= 0; part++) {
      const value = values[part] ?? MISSING
      local = value < 0 ? MISSING : local + value
    }
    if (local < 0) continue
    const bucket = Math.floor((first + at) / parts)
    side.local[bucket] = (side.local[bucket] ?? 0) + local
    side.held[bucket] = (side.held[bucket] ?? 0) + 1
    const read = curve?.values[first + at] ?? MISSING
    if (read < 0) continue
    side.rest[bucket] = (side.rest[bucket] ?? 0) + read - local
    side.heldRest[bucket] = (side.heldRest[bucket] ?? 0) + 1
  }
}
