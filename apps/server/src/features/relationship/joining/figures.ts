import type { JoinPage } from '@voisol/contract/joining'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { getToday } from '../../../today.ts'
import { loadEnergySeries, MIN_ANONYMOUS_PEOPLE } from '../../understanding/energy/energy.ts'

type MemberRow = { name: string; kind: string; produces: boolean; consumes: boolean }
export type PublicMembers = {
  producers: JoinPage['producers']
  consumers: number | null
  /** Whether the production can be published, because it is not that of a single person. */
  openProduction: boolean
}

/**
 * The members as shown publicly: producing organisations are named, persons never are, and consumers are counted only
 * from five on.
 */
export async function loadPublicMembers(db: Db, companyId: number, operationId: string): Promise<PublicMembers> {
  const { rows } = await db.execute<MemberRow>(sql`
    select h.name, h.kind, bool_or(d.direction = 'production') as produces, bool_or(d.direction = 'consumption') as consumes
      from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id and not d.storage
      join participants h on h.company_id = p.company_id and h.id = p.participant_id
     where p.company_id = ${companyId} and p.operation_id = ${operationId}
       and p.starts_on <= ${getToday()} and (p.ends_on is null or p.ends_on > ${getToday()})
     group by h.id, h.name, h.kind order by h.name`)
  const producers = rows.filter(({ produces }) => produces)
  const named = producers.filter(({ kind }) => kind === 'organisation').map(({ name }) => name)
  const consumers = rows.filter(({ consumes }) => consumes).length
  const others = producers.length - named.length
  return {
    producers: { named, others },
    consumers: consumers >= MIN_ANONYMOUS_PEOPLE ? consumers : null,
    openProduction: others === 0 || others >= MIN_ANONYMOUS_PEOPLE,
  }
}

/** The actor by which public totals of an operation are read. */
export const authorizePublicReader = (db: Db, companyId: number, operationId: string) =>
  authorizeJob(db, { companyId, userId: null }, { permission: 'energy.read', operationId })

const sumRounded = (column: (number | null)[]) =>
  Math.round(column.reduce<number>((all, value) => all + (value ?? 0), 0))

/** The last twelve complete months. */
export async function loadPublicYear(
  db: Db,
  companyId: number,
  operationId: string,
  told: PublicMembers,
): Promise<JoinPage['year']> {
  if (told.consumers === null) return null
  const to = monthOf(getToday())
  const from = addMonths(to, -12)
  const actor = await authorizePublicReader(db, companyId, operationId)
  const { allocated, produced } = await loadEnergySeries(db, actor, { operationId, from, to, granularity: 'month' })
  const shared = sumRounded(allocated)
  if (shared === 0) return null
  return { from, to, shared, produced: told.openProduction ? sumRounded(produced) : null }
}
