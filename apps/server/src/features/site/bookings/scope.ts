import { eq } from 'drizzle-orm'
import { bookings } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Of the company that keeps the site: nobody else's access reaches here. */
export const bookingScope = (actor: Actor) => eq(bookings.companyId, actor.companyId)
