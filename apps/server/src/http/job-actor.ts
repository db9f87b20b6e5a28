import type { Permission, Space } from '@voisol/contract/permissions'
import { type Db, queryPrepared } from '../db/client.ts'
import {
  type Actor,
  addPortalAccess,
  type DirectoryPerson,
  NO_SESSION,
  PERSON_COLUMNS,
  type PersonRow,
  toCurrentUser,
  toPersonActor,
} from './actor.ts'
import { findCurrentApiKeyActor } from './api-key.ts'
import { requireAccess } from './authorize.ts'
import { AppError } from './errors.ts'

/** Who requested a later job, and with which API key; null for the system itself. */
export type JobRequester = { companyId: number; userId: string | null; keyId?: string | null | undefined }
/** The permission a job needs, and the operation it concerns. */
type JobWork = { permission: Permission; operationId?: string }

const RIGHT_LOST =
  'La personne ou la clé d’API qui l’a demandé n’en a plus le droit. Demandez-le à nouveau, ou faites-le demander par quelqu’un qui l’a.'

/** The system actor: it has the permission its work needs, in its company only. */
const createSystemActor = (companyId: number, permission: Permission): Actor => ({
  kind: 'job',
  companyId,
  userId: NO_SESSION,
  sessionId: NO_SESSION,
  email: '',
  firstName: 'Voisol',
  lastName: '',
  space: 'office',
  permissions: [permission],
  operationIds: null,
  keepsSite: false,
})

const PERSON_QUERY = `
  select ${PERSON_COLUMNS} from users u
    join memberships m on m.user_id = u.id
    join companies c on c.id = m.company_id
   where c.id = $1 and u.id = $2 and m.accepted_at is not null and m.disabled_at is null`

/** A person with their present role and limit, not those at the time of the request. */
export async function loadJobActor(
  db: Db,
  companyId: number,
  userId: string,
  space: Space = 'office',
): Promise<Actor | undefined> {
  const { rows } = await queryPrepared<DirectoryPerson<PersonRow>>(db, 'standing', PERSON_QUERY, [companyId, userId])
  const [row] = rows
  if (!row) return undefined
  const { keepsSite } = row
  const user = toCurrentUser(await addPortalAccess(db, row), space)
  const person = toPersonActor(user, { sessionId: NO_SESSION, keepsSite, openedWith: 'password', openedFor: companyId })
  return { ...person, kind: 'job' }
}

async function loadRequesterActor(
  db: Db,
  { companyId, userId, keyId }: JobRequester,
  permission: Permission,
): Promise<Actor | undefined> {
  if (keyId) {
    const key = await findCurrentApiKeyActor(db, companyId, keyId)
    return key && { ...key, kind: 'job' }
  }
  return userId === null ? createSystemActor(companyId, permission) : loadJobActor(db, companyId, userId)
}

/**
 * Requires of a job what its endpoint required of the person or key, so that a right removed meanwhile applies to
 * waiting jobs too.
 */
export async function authorizeJob(db: Db, asker: JobRequester, work: JobWork): Promise<Actor> {
  const { permission, operationId } = work
  const actor = await loadRequesterActor(db, asker, permission)
  if (!actor || (operationId && actor.operationIds?.includes(operationId) === false))
    throw new AppError('forbidden', { message: RIGHT_LOST })
  try {
    requireAccess(actor, { permission })
  } catch {
    throw new AppError('forbidden', { message: RIGHT_LOST })
  }
  return actor
}

/** Why the job may not run, for work that reports this itself. */
export const findJobRefusal = (db: Db, asker: JobRequester, work: JobWork): Promise<AppError | undefined> =>
  authorizeJob(db, asker, work).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'forbidden') return error
      throw error
    },
  )
