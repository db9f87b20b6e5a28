import { dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { applyWorstMark, type EnergyColumns } from './buckets.ts'
import { toSqlArray } from './columns.ts'
import type { ParticipationGroup } from './crews.ts'
import { clipToRanges, type StaleRanges, subtractRanges } from './fresh.ts'
import { ALL_HOUR_PARTS } from './hour-pack.ts'
import { addHourRollups, readHourRollups } from './kept-hours.ts'
import type { Period } from './period.ts'
import { buildMemberPeriods, listOperationIds } from './pieces.ts'
import { listMembersOfOperations } from './scope.ts'
import { addMemberSteps, createStepFrame, getCommonStep, type StepFrame } from './step-columns.ts'
import { addPackedSteps, hasMark } from './step-pack.ts'

type StepRollupRow = { operationId: string; day: string; step: number; packed: Buffer }

/**
 * Quarter-hours and hours of whole operations from rollups, or from curves where they are outdated. For hours, only the
 * requested columns.
 */
export async function loadRollupStepColumns(
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  period: Period,
  granularity: '15min' | 'hour',
  parts = ALL_HOUR_PARTS,
): Promise<EnergyColumns> {
  const ids = listOperationIds(participationGroups)
  const step = getCommonStep(participationGroups)
  const hourly = granularity === 'hour'
  const frame = createStepFrame(participationGroups, period, step, hourly ? 60 : step)
  const stale = await listStaleRollups(db, companyId, ids)
  // Steps of another length cannot be added up: such a value is only known when all its parts are.
  const idsWithOtherStep = ids.filter(
    (id) => getCommonStep(participationGroups.filter((group) => group.operationId === id)) !== step,
  )
  for (const id of idsWithOtherStep) stale.set(id, [period])
  const hours = hourly ? await readHourRollups(db, companyId, ids, period, parts) : []
  const steps = hourly ? [] : await readStepRollups(db, companyId, ids, period, stale)
  for (const { operationId, step: own } of [...hours, ...steps]) if (own !== step) stale.set(operationId, [period])
  const wanted = findFreshMemberDays(frame, participationGroups, period, stale)
  if (hourly) addHourRollups(frame, wanted, hours)
  else addStepRollups(frame, wanted, steps)
  const staleOperationIds = [...stale.keys()]
  if (staleOperationIds.length) {
    const members = await listMembersOfOperations(db, companyId, staleOperationIds)
    await addMemberSteps(db, companyId, members, period, frame, (pieces) => clipToRanges(pieces, stale))
  }
  return frame.columns
}

async function readStepRollups(
  db: Db,
  companyId: number,
  ids: string[],
  period: Period,
  stale: StaleRanges,
): Promise<StepRollupRow[]> {
  const ranges = ids.flatMap((id) => subtractRanges(period, stale.get(id) ?? []).map((range) => ({ id, ...range })))
  if (!ranges.length) return []
  const { rows } = await db.execute<StepRollupRow>(sql`
    select s.operation_id as "operationId", s.day::text as day, s.step, s.packed
      from unnest(${toSqlArray(ranges.map(({ id }) => id))}::uuid[], ${toSqlArray(ranges.map(({ from }) => from))}::date[],
                  ${toSqlArray(ranges.map(({ to }) => to))}::date[]) m(operation_id, lo, hi)
      join operation_steps s on s.company_id = ${companyId} and s.operation_id = m.operation_id
       and s.day >= m.lo and s.day < m.hi`)
  return rows
}

/** The days with a member of an operation and current rollups. */
function findFreshMemberDays(
  { days }: StepFrame,
  participationGroups: ParticipationGroup[],
  period: Period,
  stale: StaleRanges,
): Map<string, Uint8Array> {
  const indexOf = new Map(days.map((day, at) => [day, at]))
  const wanted = new Map<string, Uint8Array>()
  for (const { operationId, lo, hi } of buildMemberPeriods(participationGroups, period, () => 0)) {
    const own = wanted.get(operationId) ?? new Uint8Array(days.length)
    wanted.set(operationId, own)
    for (const { from, to } of subtractRanges({ from: lo, to: hi }, stale.get(operationId) ?? []))
      own.fill(1, indexOf.get(from), indexOf.get(to) ?? days.length)
  }
  return wanted
}

/** A day with a member and without rollup counts as missing. */
function addStepRollups(frame: StepFrame, wanted: Map<string, Uint8Array>, rows: StepRollupRow[]): void {
  const found = new Map(rows.map((row) => [`${row.operationId} ${row.day}`, row]))
  for (const [operationId, own] of wanted)
    for (const [at, day] of frame.days.entries())
      if (own[at]) addStepRollupDay(frame, day, found.get(`${operationId} ${day}`)?.packed)
}

function addStepRollupDay({ columns, origin, step, parts }: StepFrame, day: string, packed: Buffer | undefined): void {
  const first = (dayStart(day) - origin) / step
  const length = minutesOfDay(day) / step
  const marks = packed ? addPackedSteps(packed, length, columns, first, parts) : new Uint8Array(length)
  for (let at = 0; at < length; at++) {
    const mark = marks[at]
    if (hasMark(mark)) applyWorstMark(columns.marks, Math.floor((first + at) / parts), mark)
  }
}
