import { addDays, addMonths, dayStart, minutesOfDay, monthOf } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import { RETURNING_ONE } from '../../../db/citus.ts'
import type { Db } from '../../../db/client.ts'
import {
  addMemberSteps,
  applyWorstMark,
  createStepFrame,
  type EnergyColumns,
  getCommonStep,
  NO_MARK,
  SIDE_NAMES,
  type SideColumns,
  type StepFrame,
} from './energy-columns.ts'
import { listMembersOfOperations, type ParticipationGroup, toSqlArray } from './member-scope.ts'
import { buildMemberPeriods, listOperationIds, type Period } from './periods.ts'
import { clipToRanges, type StaleRanges, subtractRanges } from './rollup-read.ts'

/** Format of a column: zeros, one constant value, 4-byte integers, or 8-byte floats. */
const ZERO_COLUMN = 0
const CONSTANT_COLUMN = 1
const INT32_COLUMN = 2
const FLOAT64_COLUMN = 3
const INT32_LIMIT = 2 ** 31
const COLUMN_NAMES = ['read', 'known', 'local', 'rest', 'held', 'heldRest'] as const

function packColumn(values: ArrayLike<number>, from: number, to: number): Buffer {
  const all = Array.from({ length: to - from }, (_, at) => values[from + at] ?? 0)
  const [first = 0] = all
  if (all.every((value) => value === first)) {
    if (first === 0) return Buffer.of(ZERO_COLUMN)
    const same = Buffer.alloc(9)
    same.writeUInt8(CONSTANT_COLUMN)
    same.writeDoubleLE(first, 1)
    return same
  }
  const short = all.every((value) => Math.abs(value) < INT32_LIMIT)
  const numbers = short ? Int32Array.from(all) : Float64Array.from(all)
  return Buffer.concat([Buffer.of(short ? INT32_COLUMN : FLOAT64_COLUMN), Buffer.from(numbers.buffer)])
}

/** Packs the steps [from, to) of the columns; null when none of them is known. */
export function packSteps(columns: EnergyColumns, from: number, to: number): Buffer | null {
  const parts: Buffer[] = []
  let known = false
  for (const name of SIDE_NAMES) {
    const side: SideColumns = columns[name]
    const own = COLUMN_NAMES.map((column) => packColumn(side[column], from, to))
    known ||= own.some((bytes) => bytes[0] !== ZERO_COLUMN)
    parts.push(...own)
  }
  return known ? Buffer.concat([...parts, Buffer.from(columns.marks.subarray(from, to))]) : null
}

/**
 * Adds a column to the sums from the bucket of its first step; called a third of a million times for a year of forty
 * operations.
 */
function addPackedColumn(
  sums: ColumnValues,
  bytes: Buffer,
  at: number,
  length: number,
  first: number,
  parts: number,
): number {
  const kind = bytes.readUInt8(at)
  if (kind === ZERO_COLUMN) return at + 1
  const same = kind === CONSTANT_COLUMN ? bytes.readDoubleLE(at + 1) : 0
  const next = kind === CONSTANT_COLUMN ? at + 9 : at + 1 + length * (kind === INT32_COLUMN ? 4 : 8)
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1, next - at - 1)
  let bucket = Math.floor(first / parts)
  let left = parts - (first % parts)
  for (let step = 0; step < length; step++) {
    const value =
      kind === CONSTANT_COLUMN
        ? same
        : kind === INT32_COLUMN
          ? view.getInt32(step * 4, true)
          : view.getFloat64(step * 8, true)
    sums[bucket] = (sums[bucket] ?? 0) + value
    if (--left > 0) continue
    bucket++
    left = parts
  }
  return next
}

type ColumnValues = Float64Array | Uint32Array

/** Adds a packed day to the columns, `parts` steps per bucket from the step `first`; returns its marks. */
function addPackedSteps(
  bytes: Buffer,
  length: number,
  columns: EnergyColumns,
  first: number,
  parts: number,
): Uint8Array {
  let at = 0
  for (const name of SIDE_NAMES) {
    const side: SideColumns = columns[name]
    for (const column of COLUMN_NAMES) at = addPackedColumn(side[column], bytes, at, length, first, parts)
  }
  return bytes.subarray(at, at + length)
}

const hasMark = (mark: number | undefined): mark is number => mark !== undefined && mark !== NO_MARK

/** Each column of each side has a number, followed by the marks. */
const MARKS_PART = SIDE_NAMES.length * COLUMN_NAMES.length
const ALL_HOUR_PARTS = Array.from({ length: MARKS_PART + 1 }, (_, part) => part)

export const getHourPart = (side: (typeof SIDE_NAMES)[number], name: (typeof COLUMN_NAMES)[number]) =>
  SIDE_NAMES.indexOf(side) * COLUMN_NAMES.length + COLUMN_NAMES.indexOf(name)

const getColumnOfPart = (columns: EnergyColumns, part: number): Float64Array | Uint32Array | undefined => {
  const [side, name] = [SIDE_NAMES[Math.floor(part / COLUMN_NAMES.length)], COLUMN_NAMES[part % COLUMN_NAMES.length]]
  if (!side || !name) return undefined
  const own: SideColumns = columns[side]
  return own[name]
}

const isPackedZeros = (bytes: Buffer) => bytes.length === 1

/** The columns as stored, without those that are all zero. */
function packHours(columns: EnergyColumns): { part: number; packed: Buffer }[] {
  const { length } = columns.starts
  const parts = ALL_HOUR_PARTS.slice(0, MARKS_PART).flatMap((part) => {
    const packed = packColumn(getColumnOfPart(columns, part) ?? [], 0, length)
    return isPackedZeros(packed) ? [] : [{ part, packed }]
  })
  return [...parts, { part: MARKS_PART, packed: Buffer.from(columns.marks) }]
}

/** Adds `count` hours of a stored column, from its index `from`, to the sums from hour `to`. */
function addPackedHours(
  columns: EnergyColumns,
  part: number,
  packed: Buffer,
  from: number,
  count: number,
  to: number,
): void {
  const sums = getColumnOfPart(columns, part)
  if (!sums) return
  const view = new DataView(packed.buffer, packed.byteOffset + 1, packed.byteLength - 1)
  const valueAt = VALUE_READERS[packed.readUInt8(0)]
  if (!valueAt) return
  for (let at = 0; at < count; at++) sums[to + at] = (sums[to + at] ?? 0) + valueAt(view, from + at)
}

/** By the formats of `packColumn`: zeros, one constant value, 4-byte integers, or 8-byte floats. */
const VALUE_READERS: (((view: DataView, at: number) => number) | undefined)[] = [
  undefined,
  (view) => view.getFloat64(0, true),
  (view, at) => view.getInt32(at * 4, true),
  (view, at) => view.getFloat64(at * 8, true),
]

type OperationPeriod = Period & { companyId: number; operationId: string }

const MINUTES_PER_HOUR = 60
/** The bit of a day in its month. */
const getDayBit = (day: string) => 1 << (Number(day.slice(8)) - 1)

/** Built from the steps of its days; days summed at another step are marked, and added when summed again. */
export async function writeHourRollups(
  tx: Db,
  { companyId, operationId }: OperationPeriod,
  month: string,
  step: Step,
): Promise<void> {
  const next = addMonths(month, 1)
  await tx.execute(sql`delete from operation_hours where company_id = ${companyId} and operation_id = ${operationId}
    and month = ${month}`)
  const { rows } = await tx.execute<{ day: string; packed: Buffer }>(sql`
    select day::text as day, packed from operation_steps where company_id = ${companyId} and operation_id = ${operationId}
       and day >= ${month} and day < ${next} and step = ${step}`)
  if (!rows.length) return
  const { columns, origin, parts } = createStepFrame([], { from: month, to: next }, step, MINUTES_PER_HOUR)
  let mask = 0
  for (const { day, packed } of rows) {
    const first = (dayStart(day) - origin) / step
    const marks = addPackedSteps(packed, minutesOfDay(day) / step, columns, first, parts)
    for (const [at, mark] of marks.entries())
      if (hasMark(mark)) applyWorstMark(columns.marks, Math.floor((first + at) / parts), mark)
    mask |= getDayBit(day)
  }
  const packed = packHours(columns)
  await tx.execute(sql`
    insert into operation_hours (company_id, operation_id, month, part, step, mask, packed)
    select ${companyId}, ${operationId}, ${month}::date, p.part, ${step}::smallint, ${mask}::int, p.packed
      from unnest(${toSqlArray(packed.map(({ part }) => part))}::smallint[],
                  ${sql.param(packed.map((row) => row.packed))}::bytea[]) p(part, packed) ${RETURNING_ONE}`)
}

type HourRollupPart = {
  operationId: string
  month: string
  part: number
  step: number
  mask: number
  packed: Buffer
}

/** The requested columns of the months in the period; the marks tell which days a month includes. */
async function readHourRollups(
  db: Db,
  companyId: number,
  ids: string[],
  { from, to }: Period,
  parts: number[],
): Promise<HourRollupPart[]> {
  const { rows } = await db.execute<HourRollupPart>(sql`
    select operation_id as "operationId", month::text as month, part::int as part, step::int as step, mask, packed
      from operation_hours where company_id = ${companyId} and operation_id = any(${toSqlArray(ids)}::uuid[])
       and month >= ${monthOf(from)} and month < ${to} and part = any(${toSqlArray([...parts, MARKS_PART])}::smallint[])`)
  return rows
}

/** Adds the requested days of each operation; a day without rollup counts as missing. */
function addHourRollups(frame: StepFrame, wanted: Map<string, Uint8Array>, rows: HourRollupPart[]): void {
  const rollupsByMonth = Map.groupBy(rows, ({ operationId, month }) => `${operationId} ${month}`)
  const last = frame.days.at(-1)
  if (last === undefined) return
  const starts = [...frame.days, addDays(last, 1)].map((day) => (dayStart(day) - frame.origin) / MINUTES_PER_HOUR)
  const months = [...Map.groupBy(frame.days.keys(), (at) => monthOf(frame.days[at] ?? last))]
  for (const [operationId, days] of wanted)
    for (const [month, own] of months) {
      const parts = rollupsByMonth.get(`${operationId} ${month}`) ?? []
      const mask = parts[0]?.mask ?? 0
      const isKept = (at: number) => (mask & getDayBit(frame.days[at] ?? last)) !== 0
      const wantedDays = own.filter((at) => days[at])
      for (const at of wantedDays) if (!isKept(at)) markAsMissing(frame, starts[at] ?? 0, starts[at + 1] ?? 0)
      const shift = (dayStart(month) - frame.origin) / MINUTES_PER_HOUR
      for (const [first, end] of groupConsecutiveDays(wantedDays.filter(isKept))) {
        const [from, to] = [starts[first] ?? 0, starts[end] ?? 0]
        for (const { part, packed } of parts)
          if (part === MARKS_PART) addHourMarks(frame, packed, from - shift, to - from, from)
          else addPackedHours(frame.columns, part, packed, from - shift, to - from, from)
      }
    }
}

/** Groups consecutive days as half-open ranges. */
function groupConsecutiveDays(days: number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const at of days) {
    const range = ranges.at(-1)
    if (range?.[1] === at) range[1] = at + 1
    else ranges.push([at, at + 1])
  }
  return ranges
}

function markAsMissing({ columns }: StepFrame, from: number, to: number): void {
  for (let at = from; at < to; at++) applyWorstMark(columns.marks, at, 0)
}

function addHourMarks({ columns }: StepFrame, packed: Buffer, from: number, count: number, to: number): void {
  for (let at = 0; at < count; at++) {
    const mark = packed[from + at]
    if (hasMark(mark)) applyWorstMark(columns.marks, to + at, mark)
  }
}

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
