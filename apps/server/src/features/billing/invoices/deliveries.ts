import {
  type Channel,
  DELIVERY_STATE_LABELS,
  type DeliveryReport,
  type DeliveryState,
  type TrackedState,
} from '@voisol/contract/invoice-views'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { invoiceDeliveries, invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { type InvoiceRecord, invoiceScope } from './load-invoice.ts'

type DeliveryStep = { channel: Channel; state: DeliveryState; detail: string; by: string; id?: string }
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

/** State changes of a document delivered by a third party; a rejected one can be deposited again. */
const NEXT_STATES: Record<string, readonly TrackedState[]> = {
  waiting: ['deposited', 'available', 'rejected'],
  deposited: ['available', 'rejected', 'paid'],
  available: ['rejected', 'paid'],
  rejected: ['deposited'],
  paid: [],
}
const CHANNEL_LABELS = { chorus: 'Chorus Pro', pa: 'la plateforme agréée' } as const
const getStateLabel = (state: string) => (DELIVERY_STATE_LABELS as Record<string, string>)[state] ?? state // unknown: shown as is

/** Whether a state may follow the last one; `same` means there is nothing to record. */
function checkTransition(last: string | undefined, state: TrackedState): 'new' | 'same' | 'no' {
  if (last === state) return 'same'
  return last !== undefined && NEXT_STATES[last]?.includes(state) ? 'new' : 'no'
}

type DeliveryStateInput = z.output<typeof DeliveryReport> & { by: string; key?: string }

/** Records the state of a document on its channel; recording it twice changes nothing. */
export async function recordDeliveryState(
  tx: Db,
  invoice: InvoiceRecord,
  { channel, state, detail, by, key }: DeliveryStateInput,
) {
  const last = await loadLastDeliveryState(tx, invoice, channel)
  const verdict = checkTransition(last, state)
  if (verdict === 'same') return
  if (verdict === 'no')
    throw new AppError('conflict', {
      message: last
        ? `La facture ${invoice.number} est «\u00a0${getStateLabel(last)}\u00a0» sur ${CHANNEL_LABELS[channel]}\u00a0: elle ne peut pas devenir «\u00a0${getStateLabel(state)}\u00a0».`
        : `La facture ${invoice.number} n’a pas été envoyée par ${CHANNEL_LABELS[channel]}\u00a0: envoyez-la d’abord.`,
    })
  await addDeliveryStep(tx, invoice, { channel, state, detail, by, ...(key && { id: toStableId(key) }) })
}
