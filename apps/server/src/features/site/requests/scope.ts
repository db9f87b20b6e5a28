import { eq } from 'drizzle-orm'
import { requests } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Of the company that keeps the site: nobody else's access reaches here. */
export const requestScope = (actor: Actor) => eq(requests.companyId, actor.companyId)
