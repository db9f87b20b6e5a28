import { and, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { payments } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * The company's payments; for a limited user, those of accounts with a document of their operations; in the portal,
 * one's own.
 */
export const paymentScope = (actor: Actor): SQL | undefined =>
  and(
    eq(payments.companyId, actor.companyId),
    actor.space === 'portal'
      ? sql`${payments.buyerId} in ${participantIdsOfUser(actor)}`
      : actor.operationIds
        ? sql`exists (select 1 from invoices i where i.company_id = payments.company_id
            and i.seller_id = payments.seller_id and i.buyer_id is not distinct from payments.buyer_id
            and i.client_seller_id is not distinct from payments.client_seller_id
            and i.operation_id = any(${sql.param([...actor.operationIds])}::uuid[]))`
        : undefined,
  )
