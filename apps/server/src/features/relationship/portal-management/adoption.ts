import type { PortalAdoption } from '@voisol/contract/portal-management'
import { type SQL, sql } from 'drizzle-orm'
import { participantUsersSql } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { loadSignInsSql } from '../../../core/sign-ins.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'

/** A user seen within this many days counts as active. */
export const RECENT_VISIT_DAYS = 30

type AdoptionRow = PortalAdoption & { operationId: string; operationName: string }

/** One row per account of a current member, or one for a member without: invited, accepted and recently active. */
const selectAdoptionRows = (actor: Actor, seen: SQL) => sql`
  select distinct s.operation_id, s.participant_id, m.user_id is not null as invited,
         m.accepted_at is not null and m.disabled_at is null as account,
         m.accepted_at is not null and m.disabled_at is null
           and greatest(v.began_at, case when m.role = 'client' then i.at end)
             > now() - make_interval(days => ${RECENT_VISIT_DAYS}) as recent
    from participations s
    left join ${participantUsersSql(actor.companyId)} r on r.id = s.participant_id
    left join memberships m on m.company_id = s.company_id and m.user_id = r.user_id
    left join ${seen} i on i.user_id = m.user_id
    left join portal_visits v on v.company_id = s.company_id and v.user_id = r.user_id
   where s.company_id = ${actor.companyId} and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()})
     and ${withinOperationLimit(actor, sql`s.operation_id`) ?? sql`true`}`

const counts = sql`count(distinct t.participant_id)::int as participants,
  count(distinct t.participant_id) filter (where t.invited)::int as invited,
  count(distinct t.participant_id) filter (where t.account)::int as accounts,
  count(distinct t.participant_id) filter (where t.recent)::int as recent`

/** Adoption by operation and in total: a person in two operations counts once in the total. */
export async function loadAdoption(db: Db, actor: Actor): Promise<{ total: PortalAdoption; items: AdoptionRow[] }> {
  const seen = await loadSignInsSql(db, actor.companyId)
  const { rows: items } = await db.execute<AdoptionRow>(sql`
    select t.operation_id as "operationId", o.name as "operationName", ${counts}
      from (${selectAdoptionRows(actor, seen)}) t join operations o on o.company_id = ${actor.companyId} and o.id = t.operation_id
     group by 1, 2 order by fold(o.name), 1`)
  const { rows } = await db.execute<PortalAdoption>(sql`select ${counts} from (${selectAdoptionRows(actor, seen)}) t`)
  return { items, total: rows[0] ?? { participants: 0, invited: 0, accounts: 0, recent: 0 } }
}
