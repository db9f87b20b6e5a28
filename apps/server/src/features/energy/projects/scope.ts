import { eq, type SQL } from 'drizzle-orm'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Projects are the administrators' alone: the access of every endpoint says so. */
export const projectScope = (actor: Actor): SQL => eq(projects.companyId, actor.companyId)
