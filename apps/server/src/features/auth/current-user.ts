import type { CurrentUser } from '@voisol/contract/auth'
import { type Db, prepared } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'

type Row = Omit<CurrentUser, 'role' | 'trialEndsAt'> & { trialEndsAt: Date | null }

const QUERY = `
  select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.version,
         u.totp_enabled_at is not null as "secondFactor", m.is_admin as "isAdmin",
         c.id as "companyId", c.name as "companyName", c.trial_ends_at as "trialEndsAt",
         (select json_agg(json_build_object('id', oc.id, 'name', oc.name) order by oc.name)
            from memberships om join companies oc on oc.id = om.company_id
           where om.user_id = u.id and om.accepted_at is not null and om.disabled_at is null) as companies
    from users u
    join memberships m on m.user_id = u.id and m.company_id = $2
    join companies c on c.id = m.company_id
   where u.id = $1 and m.accepted_at is not null and m.disabled_at is null`

/** The signed-in person as the browser knows them. */
export async function currentUser(db: Db, userId: string, companyId: number): Promise<CurrentUser> {
  const { rows } = await prepared<Row>(db, 'current-user', QUERY, [userId, companyId])
  const row = rows[0]
  if (!row) throw new AppError('not-found')
  return { ...row, role: row.isAdmin ? 'admin' : 'client', trialEndsAt: row.trialEndsAt?.toISOString() ?? null }
}
