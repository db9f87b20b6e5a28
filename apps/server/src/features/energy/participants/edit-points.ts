import type { ParticipantLine } from '@voisol/contract/participants'
import { type points as endpoints, getSegmentError, type PointUpdate } from '@voisol/contract/points'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { describeStorageConflict } from './batteries.ts'
import { PARTICIPATION_JOINS, type PointRow } from './enrolment-data.ts'
import { pointScope } from './participant-scope.ts'
import { planPoint, toPointValues } from './plan-enrolment.ts'
import { loadPoint } from './point-queries.ts'

type UpdatePointInput = z.output<typeof PointUpdate>

function requireValidSegment(direction: string, segment: string | undefined, path: string) {
  const fault = getSegmentError(direction === 'production' ? 'production' : 'consumption', segment)
  if (fault) throw fieldError(path, fault)
}

async function updatePointRow(tx: Db, { companyId, id }: PointRow, values: Partial<PointRow>) {
  await tx
    .update(points)
    .set({ ...values, version: sql`${points.version} + 1` })
    .where(and(eq(points.companyId, companyId), eq(points.id, id)))
}

async function requireStorageConsistent(tx: Db, { companyId }: Actor, line: ParticipantLine) {
  const known = await tx
    .select()
    .from(points)
    .where(and(eq(points.companyId, companyId), eq(points.prm, line.prm)))
  const participationsOfPoint = await tx
    .select({ pointId: participations.pointId })
    .from(participations)
    .innerJoin(points, PARTICIPATION_JOINS.point)
    .where(and(eq(points.companyId, companyId), eq(points.prm, line.prm)))
  const fault = describeStorageConflict(line, known, participationsOfPoint)
  if (fault) throw fieldError('prm', fault, 'conflict')
  const other = known.filter(({ storage }) => line.storage !== undefined && storage !== line.storage)
  for (const row of other) await updatePointRow(tx, row, { storage: line.storage })
}
/** The fields of a point that a line may change. */
const getChangeableValues = ({ companyId: _, id: _id, version: _version, createdAt: _made, ...values }: PointRow) =>
  values

/** Updates the point of that PRM and direction, or creates it. */
export async function createOrUpdatePoint(tx: Db, actor: Actor, line: ParticipantLine): Promise<string> {
  const { prm, direction } = line
  requireValidSegment(direction, line.segment, 'point.segment')
  await requireStorageConsistent(tx, actor, line)
  const [known] = await tx
    .select()
    .from(points)
    .where(and(eq(points.companyId, actor.companyId), eq(points.prm, prm), eq(points.direction, direction)))
    .for('update')
  const { row, state } = planPoint(actor.companyId, known && { row: known, state: 'stored' }, line)
  if (state === 'new') await tx.insert(points).values(row)
  if (state === 'changed') await updatePointRow(tx, row, getChangeableValues(row))
  return row.id
}

/** Both directions of a battery share one name and place. */
async function updateOtherDirection(tx: Db, { companyId, id, prm }: PointRow, values: Partial<PointRow>) {
  await tx
    .update(points)
    .set({ ...values, version: sql`${points.version} + 1` })
    .where(and(eq(points.companyId, companyId), eq(points.prm, prm), ne(points.id, id)))
}

async function lockPoint(tx: Db, actor: Actor, id: string): Promise<PointRow> {
  const [row] = await tx
    .select()
    .from(points)
    .where(and(pointScope(actor), eq(points.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function updatePoint(tx: Db, actor: Actor, id: string, input: UpdatePointInput) {
  const row = await lockPoint(tx, actor, id)
  const { version, ...fields } = input
  const values = toPointValues(fields)
  requireCurrentVersion({ ...row, pointAddress: row.address }, { ...fields, version })
  requireValidSegment(row.direction, fields.segment, 'segment')
  const before = await loadPoint(tx, actor, id)
  const moved = values.latitude !== row.latitude || values.longitude !== row.longitude
  const precision = moved ? 'address' : row.precision
  await updatePointRow(tx, row, { ...values, precision })
  const { label, address, latitude, longitude } = values
  if (row.storage) await updateOtherDirection(tx, row, { label, address, latitude, longitude, precision })
  return { before, after: await loadPoint(tx, actor, id) }
}

type PlacePointInput = z.output<typeof endpoints.place.body>
const COORDINATE_DECIMALS = 6

/** Sets the place of a point by hand: it counts as exact, until other coordinates are given. */
export async function placePoint(tx: Db, actor: Actor, id: string, input: PlacePointInput) {
  const row = await lockPoint(tx, actor, id)
  requireCurrentVersion(row, input)
  const before = await loadPoint(tx, actor, id)
  const [latitude, longitude] = [input.latitude, input.longitude].map((degrees) =>
    Number(degrees.toFixed(COORDINATE_DECIMALS)),
  )
  const place = { latitude, longitude, precision: 'pin' }
  await updatePointRow(tx, row, place)
  if (row.storage) await updateOtherDirection(tx, row, place)
  return { before, after: await loadPoint(tx, actor, id) }
}
