import { can } from '@voisol/contract/permissions'
import type { Desk } from '@voisol/contract/support-words'
import { and, eq, or, type SQL } from 'drizzle-orm'
import { tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Whom one writes to: in the portal the organiser, in the back office the keeper of the installation. */
export const deskOf = ({ space }: Actor): Desk => (space === 'portal' ? 'organiser' : 'keeper')

/** What one asked oneself, in the space that one is in. */
export const mineScope = (actor: Actor): SQL | undefined =>
  and(eq(tickets.companyId, actor.companyId), eq(tickets.askerId, actor.userId), eq(tickets.desk, deskOf(actor)))

/** What the participants of one's company asked; for the keeper of the installation, what organisers asked as well. */
export const deskScope = (actor: Actor): SQL | undefined =>
  or(
    and(eq(tickets.companyId, actor.companyId), eq(tickets.desk, 'organiser')),
    keeps(actor) ? eq(tickets.desk, 'keeper') : undefined,
  )

/** Outside the company that keeps the installation the right does not exist. */
export const keeps = (actor: Actor) => actor.keepsSite && can(actor, 'support.keep')
