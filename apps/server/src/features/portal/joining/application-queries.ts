import type { Application, ApplicationDetail, joiningDesk } from '@voisol/contract/joining-management'
import { computeDistanceMetres, PERIMETER_RULES, type PerimeterKind } from '@voisol/energy/perimeter'
import { formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type OperationRow, requireVisibleOperation, withinOperationLimit } from '../../../core/access-scopes.ts'
import { findCommune } from '../../../core/communes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { applications, operations, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/index.ts'
import type { ApplicationRow } from './application-state.ts'
import { loadFirstEntryDay, loadFirstExitDay } from './join-settings.ts'

type Query = z.output<typeof joiningDesk.list.query>

/** Applications that wait for a decision first, then those in progress, then the closed ones. */
const stateOrder = sql`array_position(array['waiting', 'verified', 'draft', 'accepted', 'refused', 'withdrawn'], ${applications.state})`
const SORTS = {
  state: stateOrder,
  name: sql`fold(${applications.name})`,
  createdAt: applications.createdAt,
  operation: sql`fold(${operations.name})`,
}

const operationJoin = and(eq(operations.companyId, applications.companyId), eq(operations.id, applications.operationId))

const selectApplications = (db: Db, where: SQL | undefined) =>
  db
    .select({ row: applications, operation: operations.name })
    .from(applications)
    .innerJoin(operations, operationJoin)
    .where(where)

/** The columns contain only values of the contract, since every write validates them. */
export const toApplication = (row: ApplicationRow, operation: string) =>
  ({
    ...row,
    operation,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    signedAt: row.proof?.at ?? null,
    hasPaper: row.fileId !== null,
    createdAt: row.createdAt.toISOString(),
  }) as Application

const buildApplicationFilter = (actor: Actor, { q, operationId, state, kind }: Query) =>
  and(
    applicationScope(actor),
    operationId ? eq(applications.operationId, operationId) : undefined,
    state && eq(applications.state, state),
    kind && eq(applications.kind, kind),
    matchesSearchWords(q, [applications.name, applications.email, applications.prm, applications.city]),
  )

export async function listApplications(db: Db, actor: Actor, query: Query) {
  if (query.operationId) await requireVisibleOperation(db, actor, query.operationId)
  const where = buildApplicationFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectApplications(db, where)
    .orderBy(buildOrderBy(query.sort, SORTS, 'state'), desc(applications.createdAt), applications.id)
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(applications).innerJoin(operations, operationJoin).where(where)
  return { items: rows.map(({ row, operation }) => toApplication(row, operation)), total: all?.n ?? 0 }
}

/** All applications of the user, latest first. */
export async function listOwnApplications(db: Db, actor: Actor): Promise<Application[]> {
  const rows = await selectApplications(db, applicationScope(actor)).orderBy(
    desc(applications.createdAt),
    applications.id,
  )
  return rows.map(({ row, operation }) => toApplication(row, operation))
}

export async function loadApplicationRow(db: Db, actor: Actor, id: string): Promise<ApplicationRow> {
  const [row] = await db
    .select()
    .from(applications)
    .where(and(applicationScope(actor), eq(applications.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function lockApplication(tx: Db, actor: Actor, id: string): Promise<ApplicationRow> {
  const [row] = await tx
    .select()
    .from(applications)
    .where(and(applicationScope(actor), eq(applications.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function loadApplication(db: Db, actor: Actor, id: string): Promise<ApplicationDetail> {
  const [found] = await selectApplications(db, and(applicationScope(actor), eq(applications.id, id)))
  if (!found) throw new AppError('not-found')
  const { row, operation } = found
  const firstOn = await loadFirstPossibleDay(db, row)
  const remarks = row.state === 'waiting' ? await listRemarks(db, actor, row, firstOn) : []
  return { ...toApplication(row, operation), proof: row.proof, firstOn, remarks }
}

/** Applications for operations that the user can access; in the portal, the user's own departures. */
const applicationScope = (actor: Actor) =>
  and(
    eq(applications.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, applications.operationId)
      : eq(applications.userId, actor.userId),
  )

type Remark = ApplicationDetail['remarks'][number]

/** A meter can be in one operation at a time; its other operation is named only to users with access to it. */
async function checkPointInUse(
  db: Db,
  actor: Actor,
  { companyId, prm }: ApplicationRow,
  on: string,
): Promise<Remark[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select o.id, o.name from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id
      join operations o on o.company_id = p.company_id and o.id = p.operation_id
     where p.company_id = ${companyId} and d.prm = ${prm} and d.direction = 'consumption'
       and (p.ends_on is null or p.ends_on > ${on}) limit 1`)
  const [otherOperation] = rows
  if (!otherOperation) return []
  const seen = !actor.operationIds || actor.operationIds.includes(otherOperation.id)
  const where = seen ? `«\u00a0${otherOperation.name}\u00a0»` : 'une autre opération'
  return [
    {
      severity: 'refused',
      message: `Ce point prend déjà part à ${where} le ${formatFrenchDay(on)}\u00a0: un point n’est que dans une opération à la fois.`,
    },
  ]
}

async function checkKnownEmail(db: Db, actor: Actor, { email }: ApplicationRow): Promise<Remark[]> {
  const [known] = await db
    .select({ name: participants.name })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.email, email)))
    .limit(1)
  return known
    ? [
        {
          severity: 'warning',
          message: `Cette adresse e-mail est celle de ${known.name}\u00a0: le point lui sera ajouté.`,
        },
      ]
    : []
}

/** Facts that the organiser should know before deciding. */
async function listRemarks(db: Db, actor: Actor, row: ApplicationRow, on: string): Promise<Remark[]> {
  if (row.kind !== 'join')
    return row.wantedOn && row.wantedOn < on
      ? [
          {
            severity: 'warning',
            message: `Le jour demandé, ${formatFrenchDay(row.wantedOn)}, est trop proche pour prévenir le gestionnaire de réseau.`,
          },
        ]
      : []
  const reach = await checkJoinPerimeter(db, await loadApplicationOperation(db, row), row)
  return [
    ...(await checkPointInUse(db, actor, row, on)),
    ...(reach ? [{ severity: reach.verdict, message: reach.message }] : []),
    ...(await checkKnownEmail(db, actor, row)),
  ]
}

/** The operation of an application. */
export async function loadApplicationOperation(
  db: Db,
  { companyId, operationId }: Pick<ApplicationRow, 'companyId' | 'operationId'>,
) {
  const [row] = await db
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * The first possible day if accepted today: an entry once the distributor can be notified; a departure on its signed
 * day, or later if that is now too near for the distributor.
 */
export async function loadFirstPossibleDay(db: Db, row: ApplicationRow): Promise<string> {
  const { companyId, wantedOn } = row
  if (row.kind === 'join') return loadFirstEntryDay(db, companyId, await loadApplicationOperation(db, row))
  const told = await loadFirstExitDay(db, companyId, { startsOn: '', noticeDays: 0 })
  return wantedOn && wantedOn > told ? wantedOn : told
}

type Location = { latitude: number; longitude: number }
type ApplicantPlace = { postalCode: string; city: string }

/** Only the centre of a commune is known: this close to the limit, the distance decides nothing. */
const COMMUNE_METRES = 20_000

async function listOperationLocations(
  db: Db,
  { companyId, id, latitude, longitude }: OperationRow,
): Promise<Location[]> {
  const { rows } = await db.execute<Location>(sql`
    select distinct d.latitude, d.longitude
      from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
     where p.company_id = ${companyId} and p.operation_id = ${id} and (p.ends_on is null or p.ends_on > ${getToday()})
       and d.latitude is not null and d.longitude is not null and d.precision <> 'commune'`)
  if (rows.length) return rows
  return latitude === null || longitude === null ? [] : [{ latitude, longitude }]
}

type JoinPerimeterVerdict = { verdict: 'refused' | 'warning'; message: string } | null

const formatKm = (metres: number) => `${formatFrenchNumber(Math.round(metres / 100) / 10)}\u00a0km`

/**
 * Checks the distance rule of the operation for a commune: no result without a rule or without locations, a doubt when
 * a part of the commune may be inside, a refusal when none can be.
 */
export async function checkJoinPerimeter(
  db: Db,
  operation: OperationRow,
  { postalCode, city }: ApplicantPlace,
): Promise<JoinPerimeterVerdict> {
  const { km: limit, label } = PERIMETER_RULES[operation.perimeter as PerimeterKind] // the contract lets nothing else in
  const commune = findCommune(postalCode, city)
  if (!commune || commune.latitude === null || commune.longitude === null)
    return { verdict: 'warning', message: 'Cette commune n’est pas connue\u00a0: la distance reste à vérifier.' }
  if (limit === null) return null
  const middle = { latitude: commune.latitude, longitude: commune.longitude }
  const distances = (await listOperationLocations(db, operation)).map((place) => computeDistanceMetres(place, middle))
  const farthest = Math.max(0, ...distances)
  if (farthest <= limit * 1000) return null
  const sentence = `Le milieu de ${commune.name} est à ${formatKm(farthest)} du point le plus éloigné de l’opération, qui admet ${limit}\u00a0km («\u00a0${label}\u00a0»)`
  if (farthest > limit * 1000 + COMMUNE_METRES)
    return { verdict: 'refused', message: `${sentence}\u00a0: c’est trop loin.` }
  return { verdict: 'warning', message: `${sentence}\u00a0: vérifiez l’adresse exacte.` }
}
