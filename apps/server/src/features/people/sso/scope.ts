import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

export type Connection = typeof ssoConnections.$inferSelect
export type Mapped = { group: string; role: string }

/** The connections of the actor's company. */
export const ssoScope = (actor: Pick<Actor, 'companyId'>) => eq(ssoConnections.companyId, actor.companyId)

export const oneOf = (actor: Pick<Actor, 'companyId'>, id: string) => and(ssoScope(actor), eq(ssoConnections.id, id))

/** The connection, held until the caller's transaction ends. */
export async function lockConnection(tx: Db, actor: Pick<Actor, 'companyId'>, id: string): Promise<Connection> {
  const [row] = await tx.select().from(ssoConnections).where(oneOf(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export async function findConnection(db: Db, companyId: number, id: string): Promise<Connection | undefined> {
  const [row] = await db.select().from(ssoConnections).where(oneOf({ companyId }, id))
  return row
}

/** Where the secrets of a connection are sealed: a copy in another row does not open. */
export const placeOf = ({ companyId, id }: Pick<Connection, 'companyId' | 'id'>, what: string) =>
  `sso ${what} ${companyId} ${id}`

export const mappedOf = ({ roles }: Pick<Connection, 'roles'>) => roles as Mapped[] // written by updateConnection alone
