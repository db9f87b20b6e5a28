import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

export type SsoConnectionRow = typeof ssoConnections.$inferSelect
export type SsoRoleRule = { group: string; role: string }

/** The connections of the actor's company. */
export const ssoScope = (actor: Pick<Actor, 'companyId'>) => eq(ssoConnections.companyId, actor.companyId)

export const isSsoConnection = (actor: Pick<Actor, 'companyId'>, id: string) =>
  and(ssoScope(actor), eq(ssoConnections.id, id))

/** The connection, held until the caller's transaction ends. */
export async function lockSsoConnection(
  tx: Db,
  actor: Pick<Actor, 'companyId'>,
  id: string,
): Promise<SsoConnectionRow> {
  const [row] = await tx.select().from(ssoConnections).where(isSsoConnection(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function findSsoConnection(db: Db, companyId: number, id: string): Promise<SsoConnectionRow | undefined> {
  const [row] = await db.select().from(ssoConnections).where(isSsoConnection({ companyId }, id))
  return row
}

/** Where the secrets of a connection are sealed: a copy in another row does not open. */
export const getSsoSealContext = ({ companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>, what: string) =>
  `sso ${what} ${companyId} ${id}`

export const getSsoRoleRules = ({ roles }: Pick<SsoConnectionRow, 'roles'>) => roles as SsoRoleRule[] // written by updateConnection alone
