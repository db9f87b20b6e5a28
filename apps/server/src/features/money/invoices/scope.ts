import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's documents within the actor's operations; in the portal, those invoiced to the user. */
export const invoiceScope = (actor: Actor): SQL | undefined =>
  and(
    eq(invoices.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, invoices.operationId)
      : sql`${invoices.buyerId} in ${participantIdsOfUser(actor)}`,
  )
