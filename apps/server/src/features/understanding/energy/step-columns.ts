import { dayStart, listDays, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING, STEPS, type Step } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { intsOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { type Aligned, readAligned } from '../../energy/curves/curves.ts'
import { type Columns, emptyColumns, SIDES, worsen } from './buckets.ts'
import { sideOf } from './crews.ts'
import type { Period } from './period.ts'
import { type HeldPiece, type Piece, underRuns } from './pieces.ts'
import type { Member } from './scope.ts'
import { sceneOf } from './totals.ts'

/** Points whose curves are in memory at once. */
const POINTS = 60

const commonPart = (a: number, b: number): number => (b === 0 ? a : commonPart(b, a % b))

/** The quarter hour, or the shortest step above it into which those of all operations fit whole. */
export function finestStep(members: Pick<Member, 'step'>[]): Step {
  const least = members.reduce((step, own) => (step * own.step) / commonPart(step, own.step), 15)
  return STEPS.find((step) => step === least) ?? 60
}

/** Quarter hours and hours are summed from the packed curves, some points at a time. */
export async function stepColumns(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  granularity: '15min' | 'hour',
): Promise<Columns> {
  const step = finestStep(members)
  const frame = frameOf(members, period, step, granularity === 'hour' ? 60 : step)
  await addStepped(db, companyId, members, period, frame, (pieces) => pieces)
  return frame.columns
}

export type Frame = { columns: Columns; origin: number; step: Step; parts: number; days: string[] }

/** Empty columns of the period, `width` minutes each, to add steps of `step` minutes to. */
export function frameOf(seats: { storage: boolean }[], { from, to }: Period, step: Step, width: number): Frame {
  const origin = dayStart(from)
  const length = (dayStart(to) - origin) / width
  const starts = Array.from({ length }, (_, at) => origin + at * width)
  return { columns: emptyColumns(starts, width, seats), origin, step, parts: width / step, days: listDays(from, to) }
}

/** Adds what the curves and runs say of the members, of those pieces of their days that are wanted. */
export async function addStepped(
  db: Db,
  companyId: number,
  members: Member[],
  period: Period,
  frame: Frame,
  wanted: (pieces: Piece[]) => Piece[],
): Promise<void> {
  const { step } = frame
  const scene = await sceneOf(db, companyId, members, period, sideOf)
  const pieces = wanted(scene.pieces)
  const under = underRuns(pieces, scene.held)
  const ids = [...new Set(pieces.map(({ pointId }) => pointId))]
  for (let at = 0; at < ids.length; at += POINTS) {
    const some = new Set(ids.slice(at, at + POINTS))
    const ours = <P extends Piece>(pieces: P[]) => pieces.filter(({ pointId }) => some.has(pointId))
    const [curves, packed] = await Promise.all([
      readAligned(db, companyId, [...some], period.from, period.to, step),
      readPacked(db, companyId, ours(under)),
    ])
    for (const piece of ours(pieces)) addReadings(frame, piece, curves.get(piece.pointId))
    for (const day of packed) addShared(frame, day, curves.get(day.piece.pointId))
  }
}

const columnOf = (columns: Columns, { group }: Piece) => columns[SIDES[group] ?? 'consumption']

function addReadings({ columns, origin, step, parts }: Frame, piece: Piece, curve: Aligned | undefined): void {
  const side = columnOf(columns, piece)
  const last = (dayStart(piece.hi) - origin) / step
  for (let at = (dayStart(piece.lo) - origin) / step; at < last; at++) {
    const bucket = Math.floor(at / parts)
    const value = curve?.values[at] ?? MISSING
    worsen(columns.marks, bucket, value < 0 ? 0 : (curve?.marks[at] ?? 0))
    if (value < 0) continue
    side.read[bucket] = (side.read[bucket] ?? 0) + value
    side.known[bucket] = (side.known[bucket] ?? 0) + 1
  }
}

export type PackedDay = { piece: HeldPiece; day: string; values: Int32Array }

/** What the runs in force gave, step by step. */
export async function readPacked(db: Db, companyId: number, pieces: HeldPiece[]): Promise<PackedDay[]> {
  if (!pieces.length) return []
  const { rows } = await db.execute<{ n: number; day: string; allocated: Buffer }>(sql`
    select m.n::int - 1 as n, a.day::text as day, a.allocated
      from unnest(${sql.param(pieces.map(({ pointId }) => pointId))}::uuid[],
                  ${sql.param(pieces.map(({ runId }) => runId))}::uuid[],
                  ${sql.param(pieces.map(({ lo }) => lo))}::date[],
                  ${sql.param(pieces.map(({ hi }) => hi))}::date[]) with ordinality as m(point_id, run_id, lo, hi, n)
      cross join lateral (
        select day, allocated from allocation_days
         where company_id = ${companyId} and run_id = m.run_id and point_id = m.point_id
           and day >= m.lo and day < m.hi offset 0) a`)
  return rows.flatMap(({ n, day, allocated }) => {
    const piece = pieces[n]
    return piece ? [{ piece, day, values: intsOf(allocated) }] : []
  })
}

function addShared({ columns, origin, step, parts }: Frame, { piece, day, values }: PackedDay, curve?: Aligned): void {
  const side = columnOf(columns, piece)
  const minutes = minutesOfDay(day)
  const first = (dayStart(day) - origin) / step
  const inStep = step / (minutes / values.length)
  // A run computed at a coarser step than today's says nothing of its parts.
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
