import type { EnedisEnvironment } from '@voisol/contract/enedis'
import type { PointSyncStatus } from '@voisol/contract/sync'
import { sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/operation.ts'
import { pointNameSql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { findCredentialFor } from '../enedis/enedis.ts'
import { findLastSyncTask } from './task-view.ts'

type PointRow = Omit<PointSyncStatus, 'theirs' | 'arrivalMinutes' | 'blockedAt' | 'storage'> & {
  storage: boolean
  listed: boolean
  theirStart: string | null
  theirEnd: string | null
  mean: number | null
  blocked: string | null
}
type PerimeterRow = {
  prm: string
  direction: PointSyncStatus['direction']
  startsOn: string | null
  endsOn: string | null
  readAt: string
}

/** The latest participation period of each point, with its state at the distributor. */
async function loadPointRows(db: Db, companyId: number, operationId: string): Promise<PointRow[]> {
  const { rows } = await db.execute<PointRow>(sql`
    select * from (
      select distinct on (q.id) q.id as "pointId", q.prm, q.direction, q.storage, ${pointNameSql(sql`q.label`, sql`n.name`)} as label,
             p.starts_on::text as "startsOn", p.ends_on::text as "endsOn",
             t.prm is not null as listed, t.starts_on::text as "theirStart", t.ends_on::text as "theirEnd",
             (select d.day::text from curve_days d where d.company_id = q.company_id and d.point_id = q.id
                and d.superseded_at is null order by d.day desc limit 1) as "receivedUntil",
             extract(epoch from l.blocked_at) * 1000 as blocked,
             case when l.blocked_at is not null then l.fault end as fault,
             l.access_until::text as "accessUntil", l.arrival_mean as mean, coalesce(l.samples, 0) as samples
        from participations p
        join points q on q.company_id = p.company_id and q.id = p.point_id
        join participants n on n.company_id = p.company_id and n.id = p.participant_id
        left join point_links l on l.company_id = q.company_id and l.point_id = q.id
        left join distributor_perimeters t on t.company_id = p.company_id and t.operation_id = p.operation_id
         and t.prm = q.prm and t.direction = q.direction
       where p.company_id = ${companyId} and p.operation_id = ${operationId}
       order by q.id, p.starts_on desc) s
    order by direction desc, fold(label), prm`)
  return rows
}

const toPointStanding = ({
  listed,
  theirStart,
  theirEnd,
  mean,
  blocked,
  storage,
  ...row
}: PointRow): PointSyncStatus => ({
  ...row,
  ...(storage && { storage }),
  theirs: listed ? { startsOn: theirStart, endsOn: theirEnd } : null,
  blockedAt: blocked === null ? null : new Date(Number(blocked)).toISOString(),
  arrivalMinutes: mean,
})

export async function loadOperationSyncStatus(db: Db, actor: Actor, operationId: string) {
  const { companyId } = actor
  await requireVisibleOperation(db, actor, operationId)
  const credential = await findCredentialFor(db, companyId, operationId)
  const points = (await loadPointRows(db, companyId, operationId)).map(toPointStanding)
  const { rows: theirs } = await db.execute<PerimeterRow>(sql`
    select prm, direction, starts_on::text as "startsOn", ends_on::text as "endsOn",
           extract(epoch from read_at) * 1000 as "readAt"
      from distributor_perimeters where company_id = ${companyId} and operation_id = ${operationId} order by direction, prm`)
  const ours = new Set(points.map(({ prm, direction }) => prm + direction))
  const read = theirs.map(({ readAt }) => Number(readAt))
  return {
    credentialId: credential?.id ?? null,
    environment: (credential?.environment ?? null) as EnedisEnvironment | null, // what the contract let in
    lastTask: await findLastSyncTask(db, actor, operationId),
    perimeterAt: read.length ? new Date(Math.max(...read)).toISOString() : null,
    points,
    strangers: theirs.filter(({ prm, direction }) => !ours.has(prm + direction)),
  }
}
