import { eq } from 'drizzle-orm'
import { connections } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export const connectionScope = (actor: Pick<Actor, 'companyId'>) => eq(connections.companyId, actor.companyId)
