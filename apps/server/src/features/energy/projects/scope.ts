import { eq, type SQL } from 'drizzle-orm'
import { projects } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** A project belongs to the whole company; its routes are for administrators only. */
export const projectScope = (actor: Actor): SQL => eq(projects.companyId, actor.companyId)
