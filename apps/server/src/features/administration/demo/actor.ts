import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type Actor, NO_SESSION, PERSON, type PersonRow, toCurrentUser, toPerson } from '../../../http/actor.ts'

/** The first administrator of a company, in whose name the demo is made. */
export async function firstAdmin(db: Db, companyId: number): Promise<Actor> {
  const { rows } = await db.execute<PersonRow & Record<string, unknown>>(sql`
    select ${sql.raw(PERSON)} from users u
      join memberships m on m.user_id = u.id
      join companies c on c.id = m.company_id
     where c.id = ${companyId} and m.role = 'admin' and m.accepted_at is not null
     order by m.created_at, u.id limit 1`)
  const [person] = rows
  if (!person) throw new Error('the demo company has no administrator')
  return { ...toPerson(toCurrentUser(person), NO_SESSION, person.keepsSite), kind: 'job' }
}
