import { and, asc, eq, type Param, type SQL, sql } from 'drizzle-orm'
import { isParticipantOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import { consumesSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

export type MemberSelection = {
  operationId?: string | undefined
  participantId?: string | undefined
  pointId?: string | undefined
}

const MEMBER_COLUMNS = {
  id: participations.id,
  operationId: participations.operationId,
  operationName: operations.name,
  unitPrice: operations.unitPrice,
  step: operations.stepMinutes,
  participantId: participations.participantId,
  participantName: participants.name,
  kind: participants.kind,
  userId: participants.userId,
  pointId: participations.pointId,
  prm: points.prm,
  label: points.label,
  segment: points.segment,
  direction: sql<'consumption' | 'production'>`${points.direction}`,
  /** One direction of a battery. */
  storage: points.storage,
  startsOn: participations.startsOn,
  endsOn: participations.endsOn,
  peakWatts: points.peakWatts,
  azimuth: points.azimuth,
  tilt: points.tilt,
  latitude: sql<number | null>`coalesce(${points.latitude}, ${operations.latitude})`.as('place_latitude'),
  longitude: sql<number | null>`coalesce(${points.longitude}, ${operations.longitude})`.as('place_longitude'),
}

/** A point in an operation for a period: all energies are read through these. */
export type Member = Awaited<ReturnType<typeof selectMemberRows>>[number]

/** In the portal one's own points during their participation; in the back office the company's, within the limit. */
export const memberScope = (actor: Actor): SQL | undefined =>
  and(
    eq(participations.companyId, actor.companyId),
    actor.space === 'office' ? withinOperationLimit(actor, participations.operationId) : isParticipantOfUser(actor),
  )

const joinByCompanyAndId = (
  t: { companyId: typeof points.companyId; id: typeof points.id },
  id: typeof participations.pointId,
) => sql`${t.companyId} = ${participations.companyId} and ${t.id} = ${id}`

const selectMemberRows = (db: Db, where: SQL | undefined) =>
  db
    .select(MEMBER_COLUMNS)
    .from(participations)
    .innerJoin(
      operations,
      sql`${operations.companyId} = ${participations.companyId} and ${operations.id} = ${participations.operationId}`,
    )
    .innerJoin(
      participants,
      sql`${participants.companyId} = ${participations.companyId} and ${participants.id} = ${participations.participantId}`,
    )
    .innerJoin(points, joinByCompanyAndId(points, participations.pointId))
    .where(where)
    .orderBy(asc(participations.startsOn), asc(participations.id))

/** The readable members of a selection. An unknown or foreign id is not found. */
export async function listReadableMembers(db: Db, actor: Actor, selection: MemberSelection): Promise<Member[]> {
  const { operationId, participantId, pointId } = selection
  const members = await selectMemberRows(
    db,
    and(
      memberScope(actor),
      operationId ? eq(participations.operationId, operationId) : undefined,
      participantId ? eq(participations.participantId, participantId) : undefined,
      pointId ? eq(participations.pointId, pointId) : undefined,
    ),
  )
  if (!members.length) await requireSelectionExists(db, actor, selection)
  // A battery point read alone cannot be counted twice, so its energy is shown as it is.
  return pointId ? members.map((member) => ({ ...member, storage: false })) : members
}

/** Without a limit, or for an operation within it. */
const canReadWhole = ({ space, operationIds }: Actor, id: string) =>
  space === 'office' && (operationIds?.includes(id) ?? true)

/** When nothing matches: an administrator may select an operation without members, or a combination without result. */
export async function requireSelectionExists(
  db: Db,
  actor: Actor,
  { operationId, participantId, pointId }: MemberSelection,
): Promise<void> {
  const selectedIds = [
    [operations, operationId, participations.operationId],
    [participants, participantId, participations.participantId],
    [points, pointId, participations.pointId],
  ] as const
  for (const [table, id, column] of selectedIds) {
    if (!id) continue
    const found = canReadWhole(actor, id)
      ? await db
          .select({ id: table.id })
          .from(table)
          .where(and(eq(table.companyId, actor.companyId), eq(table.id, id)))
      : await selectMemberRows(db, and(memberScope(actor), eq(column, id)))
    if (!found.length) throw new AppError('not-found')
  }
}

/** Every member of the operations, for any user, since these sums identify nobody. */
export const listMembersOfOperations = (db: Db, companyId: number, operationIds: string[]): Promise<Member[]> =>
  selectMemberRows(
    db,
    and(
      eq(participations.companyId, companyId),
      sql`${participations.operationId} = any(${sql.param(operationIds)}::uuid[])`,
    ),
  )

/** The participations of these points in the operations. */
export const listMembersOfPoints = (db: Db, companyId: number, operationIds: string[], pointIds: string[]) =>
  selectMemberRows(
    db,
    and(
      eq(participations.companyId, companyId),
      sql`${participations.operationId} = any(${sql.param(operationIds)}::uuid[])`,
      sql`${participations.pointId} = any(${sql.param(pointIds)}::uuid[])`,
    ),
  )

/** The fields that sums need of a member; `count` when similar members are merged. */
export type ParticipationGroup = Pick<
  Member,
  'operationId' | 'unitPrice' | 'step' | 'direction' | 'storage' | 'startsOn' | 'endsOn' | 'pointId'
> & { count?: number }

/** Groups of each operation, in this order: consumption, production, charge and release. */
export const SIDE_COUNT = 4
export const getSideIndex = ({ direction, storage }: Pick<ParticipationGroup, 'direction' | 'storage'>) =>
  (direction === 'production' ? 1 : 0) + (storage ? 2 : 0)

/** Whole operations are read from stored rollups; a part of one, or a client's own points, from daily rows. */
export const readsWholeOperations = ({ space }: Actor, { participantId, pointId }: MemberSelection) =>
  space === 'office' && !participantId && !pointId

/** Most points consume, so only the others are looked up; members with equal dates are one group. */
async function selectParticipationGroups(db: Db, where: ReturnType<typeof and>): Promise<ParticipationGroup[]> {
  const { rows } = await db.execute<ParticipationGroup>(sql`
    select c.operation_id as "operationId", o.unit_price as "unitPrice", o.step_minutes as step, c.direction, c.storage,
           c.starts_on::text as "startsOn", c.ends_on::text as "endsOn", '' as "pointId", c.count
      from (select ${participations.companyId}, ${participations.operationId}, ${participations.startsOn}, ${participations.endsOn},
                   coalesce(d.direction, 'consumption') as direction, coalesce(d.storage, false) as storage, count(*)::int as count
              from ${participations}
              left join points d on d.company_id = ${participations.companyId} and d.id = ${participations.pointId}
               and not ${consumesSql(sql`d`)}
             where ${where} group by 1, 2, 3, 4, 5, 6) c
      join operations o on o.company_id = c.company_id and o.id = c.operation_id
     order by c.starts_on, c.operation_id`)
  return rows
}

/** The members of whole operations, grouped by equal dates: ten thousand members give a few dozen rows. */
export async function listParticipationGroups(
  db: Db,
  actor: Actor,
  { operationId }: MemberSelection,
): Promise<ParticipationGroup[]> {
  const groups = await selectParticipationGroups(
    db,
    and(
      eq(participations.companyId, actor.companyId),
      withinOperationLimit(actor, participations.operationId),
      operationId ? eq(participations.operationId, operationId) : undefined,
    ),
  )
  if (!groups.length) await requireSelectionExists(db, actor, { operationId })
  return groups
}

/** For any user, since these sums identify nobody. */
export const listParticipationGroupsOfOperations = (
  db: Db,
  companyId: number,
  operationIds: string[],
): Promise<ParticipationGroup[]> =>
  selectParticipationGroups(
    db,
    and(
      eq(participations.companyId, companyId),
      sql`${participations.operationId} = any(${sql.param(operationIds)}::uuid[])`,
    ),
  )

/** An array for `unnest` or `any`. Ids, days and numbers need no escaping, which the driver would check for each. */
export const toSqlArray = (values: (string | number | null)[]): Param =>
  sql.param(`{${values.map((value) => value ?? 'null').join(',')}}`)
