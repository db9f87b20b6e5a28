import type { Channel, DeliveryState } from '@voisol/contract/invoice-views'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceDeliveries, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { InvoiceRecord } from './find.ts'
import { invoiceScope } from './scope.ts'

export type DeliveryStep = { channel: Channel; state: DeliveryState; detail: string; by: string; id?: string }
type InvoiceRef = Pick<InvoiceRecord, 'companyId' | 'id'>

/** Adds a step of a document's delivery; adding it again with the same id changes nothing. */
export const addDeliveryStep = (tx: Db, { companyId, id: invoiceId }: InvoiceRef, { by, ...step }: DeliveryStep) =>
  tx
    .insert(invoiceDeliveries)
    .values({ companyId, invoiceId, createdBy: by, ...step })
    .onConflictDoNothing()

/** The last delivery state of a document on a channel, or nothing if it was never sent that way. */
export async function loadLastDeliveryState(
  db: Db,
  { companyId, id }: InvoiceRef,
  channel: Channel,
): Promise<string | undefined> {
  const [row] = await db
    .select({ state: invoiceDeliveries.state })
    .from(invoiceDeliveries)
    .where(
      and(
        eq(invoiceDeliveries.companyId, companyId),
        eq(invoiceDeliveries.invoiceId, id),
        eq(invoiceDeliveries.channel, channel),
      ),
    )
    .orderBy(desc(invoiceDeliveries.createdAt), desc(invoiceDeliveries.id))
    .limit(1)
  return row?.state
}

/** Documents of a month of an operation that did not reach their buyer: never sent, or failed. */
export async function loadUnsentDocumentIds(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select i.id from ${invoices} i
      left join lateral (
        select d.state from ${invoiceDeliveries} d where d.company_id = i.company_id and d.invoice_id = i.id
         order by d.created_at desc, d.id desc limit 1) last on true
     where i.company_id = ${companyId} and i.operation_id = ${operationId}
       and i.from_day <= ${`${month}-01`} and i.to_day > ${`${month}-01`} and i.buyer_id is not null
       and coalesce(last.state, 'failed') = 'failed'
     order by i.number`)
  return rows.map(({ id }) => id)
}

export type StuckDelivery = { id: string; number: string; channel: string; state: string; detail: string }

/** Documents whose last step needs a person: refused, failed, or to be deposited by hand. Latest first. */
export async function loadStuckDeliveries(db: Db, actor: Actor): Promise<StuckDelivery[]> {
  const lastDeliveries = db
    .selectDistinctOn([invoiceDeliveries.invoiceId], {
      id: invoices.id,
      number: invoices.number,
      channel: invoiceDeliveries.channel,
      state: invoiceDeliveries.state,
      detail: invoiceDeliveries.detail,
      at: sql<Date>`${invoiceDeliveries.createdAt}`.as('at'),
    })
    .from(invoiceDeliveries)
    .innerJoin(
      invoices,
      and(eq(invoices.companyId, invoiceDeliveries.companyId), eq(invoices.id, invoiceDeliveries.invoiceId)),
    )
    .where(and(eq(invoiceDeliveries.companyId, actor.companyId), invoiceScope(actor)))
    .orderBy(invoiceDeliveries.invoiceId, desc(invoiceDeliveries.createdAt), desc(invoiceDeliveries.id))
    .as('lasts')
  const rows = await db
    .select()
    .from(lastDeliveries)
    .where(
      sql`${inArray(lastDeliveries.state, ['failed', 'rejected'])} or (${eq(lastDeliveries.state, 'waiting')} and ${eq(lastDeliveries.channel, 'chorus')})`,
    )
    .orderBy(desc(lastDeliveries.at))
  return rows.map(({ at: _, ...row }) => row)
}
