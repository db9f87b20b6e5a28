import { hasPermission } from '@voisol/contract/permissions'
import type { SupportTeam } from '@voisol/contract/support-words'
import { and, eq, or, type SQL } from 'drizzle-orm'
import { tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Whom one writes to: in the portal the organiser, in the back office the keeper of the installation. */
export const getDeskOfActor = ({ space }: Actor): SupportTeam => (space === 'portal' ? 'organiser' : 'keeper')

/** What one asked oneself, in the space that one is in. */
export const ownTicketScope = (actor: Actor): SQL | undefined =>
  and(
    eq(tickets.companyId, actor.companyId),
    eq(tickets.askerId, actor.userId),
    eq(tickets.desk, getDeskOfActor(actor)),
  )

/** What the participants of one's company asked; for the keeper of the installation, what organisers asked as well. */
export const deskScope = (actor: Actor): SQL | undefined =>
  or(
    and(eq(tickets.companyId, actor.companyId), eq(tickets.desk, 'organiser')),
    canManageInstallationSupport(actor) ? eq(tickets.desk, 'keeper') : undefined,
  )

/** Outside the company that keeps the installation the right does not exist. */
export const canManageInstallationSupport = (actor: Actor) => actor.keepsSite && hasPermission(actor, 'support.keep')
