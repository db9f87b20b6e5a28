import type { CurrentUser } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { type Db, queryPrepared } from '../../../db/client.ts'
import { PERSON_COLUMNS, type PersonRow, toCurrentUser } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { addPortalAccess, type DirectoryPerson } from '../../../http/home.ts'

const CURRENT_USER_QUERY = `
  select ${PERSON_COLUMNS}
    from users u
    join memberships m on m.user_id = u.id and m.company_id = $2
    join companies c on c.id = m.company_id
   where u.id = $1 and m.accepted_at is not null and m.disabled_at is null`

/** Loads the member again, so that changes made by the current call are included. */
export async function loadCurrentUser(
  db: Db,
  userId: string,
  companyId: number,
  { space = null, bySso = false }: { space?: Space | null; bySso?: boolean } = {},
): Promise<CurrentUser> {
  const { rows } = await queryPrepared<DirectoryPerson<PersonRow>>(db, 'current-user', CURRENT_USER_QUERY, [
    userId,
    companyId,
  ])
  if (!rows[0]) throw new AppError('not-found')
  return toCurrentUser({ ...(await addPortalAccess(db, rows[0])), bySso }, space)
}
