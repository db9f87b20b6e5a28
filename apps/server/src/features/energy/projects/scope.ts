import { eq, type SQL } from 'drizzle-orm'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Every user with access to projects sees all of the company: the routes require the right. */
export const projectScope = (actor: Actor): SQL => eq(projects.companyId, actor.companyId)
