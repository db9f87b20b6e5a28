import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { withinOperationLimit } from '../../../core/limit.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The company's, within the actor's limit; in the portal, what was invoiced to oneself. */
export const invoiceScope = (actor: Actor): SQL | undefined =>
  and(
    eq(invoices.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, invoices.operationId)
      : sql`${invoices.buyerId} in ${participantIdsOfUser(actor)}`,
  )
