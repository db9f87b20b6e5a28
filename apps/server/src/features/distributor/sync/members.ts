import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participations, pointLinks, points } from '../../../db/schema/index.ts'
import type { PointLink } from './block.ts'
import type { SyncDayRange, SyncMember } from './cut.ts'

export type LinkedMember = SyncMember & { link: PointLink | null }

/** The participation periods of an operation's points, limited to some days if given. */
export async function listSyncMembers(
  db: Db,
  about: { companyId: number; operationId: string; pointIds?: readonly string[]; span?: SyncDayRange },
): Promise<LinkedMember[]> {
  const { companyId, operationId, pointIds = [], span } = about
  const where: (SQL | undefined)[] = [
    eq(participations.companyId, companyId),
    eq(participations.operationId, operationId),
    pointIds.length ? inArray(participations.pointId, pointIds) : undefined,
    span && lt(participations.startsOn, span.to),
    span && or(isNull(participations.endsOn), gt(participations.endsOn, span.from)),
  ]
  const rows = await db
    .select({
      pointId: points.id,
      prm: points.prm,
      direction: sql<SyncMember['direction']>`${points.direction}`,
      startsOn: participations.startsOn,
      endsOn: participations.endsOn,
      link: pointLinks,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .leftJoin(pointLinks, and(eq(pointLinks.companyId, points.companyId), eq(pointLinks.pointId, points.id)))
    .where(and(...where))
    .orderBy(asc(points.prm), asc(points.direction), asc(participations.startsOn))
  return rows.map((row) => ({ ...row, link: row.link as PointLink | null })) // the fault was written by block.ts
}
