import { and, eq, or, sql } from 'drizzle-orm'
import {
  PAYMENT_FACTS,
  type PaymentFact,
  type PaymentFactKind,
  type PaymentNotice,
} from '../../../adapters/payments/types.ts'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { onlineEvents, onlinePayments, onlineProviders } from '../../../db/schema/index.ts'
import { syncReceipts } from './converge.ts'
import type { ProviderRow } from './providers.ts'
import { computePaymentStatus } from './standing.ts'

export type OnlinePaymentRow = typeof onlinePayments.$inferSelect
export type NoticeOutcome = 'done' | 'again' | 'aside'
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const isFact = (kind: string | null): kind is PaymentFactKind => PAYMENT_FACTS.some((one) => one === kind)

/** Serialises messages of one intent: one may create the link to our payment while another needs it. */
const lockIntent = (tx: Db, { companyId, id }: ProviderRow, intent: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`online ${companyId} ${id} ${intent}`}, 0))`)

/** False when the same message was already stored. */
async function storeNotice(tx: Db, { companyId, id }: ProviderRow, notice: PaymentNotice): Promise<boolean> {
  const { fact } = notice
  const about = { checkoutId: notice.checkout, intentId: notice.intent, reference: notice.reference }
  const factColumns = fact && { fact: fact.kind, object: fact.object, amount: fact.amount, reason: fact.reason }
  const rows = await tx
    .insert(onlineEvents)
    .values({
      companyId,
      providerId: id,
      eventId: notice.id,
      type: notice.type,
      at: notice.at,
      ...about,
      ...factColumns,
    })
    .onConflictDoNothing()
    .returning({ id: onlineEvents.id })
  return rows.length > 0
}

/** The payment a message is about, by any id it gives; locked until the transaction ends. */
async function lockPaymentOfNotice(tx: Db, { companyId, id }: ProviderRow, notice: PaymentNotice) {
  const by = [
    ...(isUuid(notice.reference) ? [eq(onlinePayments.id, notice.reference)] : []),
    ...(notice.checkout ? [eq(onlinePayments.checkoutId, notice.checkout)] : []),
    ...(notice.intent ? [eq(onlinePayments.intentId, notice.intent)] : []),
  ]
  if (!by.length) return undefined
  const own = and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.providerId, id))
  const [row] = await tx
    .select()
    .from(onlinePayments)
    .where(and(own, or(...by)))
    .for('update')
  return row
}

/** All facts received about a payment, in any order. */
async function loadFacts(tx: Db, payment: OnlinePaymentRow): Promise<PaymentFact[]> {
  const { companyId, providerId, intentId, checkoutId, id } = payment
  const rows = await tx
    .select()
    .from(onlineEvents)
    .where(
      and(
        eq(onlineEvents.companyId, companyId),
        eq(onlineEvents.providerId, providerId),
        or(
          eq(onlineEvents.reference, id),
          eq(onlineEvents.checkoutId, checkoutId),
          intentId ? eq(onlineEvents.intentId, intentId) : undefined,
        ),
      ),
    )
  return rows.flatMap(({ fact: kind, object, amount, at, reason }) =>
    isFact(kind) ? [{ kind, object, amount, at, reason }] : [],
  )
}

async function applyFacts(tx: Db, provider: ProviderRow, found: OnlinePaymentRow, intent: string) {
  const payment = { ...found, intentId: found.intentId ?? (intent || null) }
  const status = computePaymentStatus(await loadFacts(tx, payment))
  const { state, net, reason } = status
  await tx
    .update(onlinePayments)
    .set({ intentId: payment.intentId, state, net, reason, updatedAt: new Date() })
    .where(and(eq(onlinePayments.companyId, payment.companyId), eq(onlinePayments.id, payment.id)))
  await syncReceipts(tx, provider, payment, status)
  // A card payer sees the refusal at once; a debit fails days later, when nobody is watching.
  if (state === 'failed' && found.state !== 'failed')
    await recordEvent(tx, {
      companyId: payment.companyId,
      name: 'payment.failed',
      object: payment.id,
      data: { onlineId: payment.id, invoiceId: payment.invoiceId, amount: payment.amount, reason },
      once: payment.id,
    })
}

/** Stores a message and applies everything known so far. A message about an unknown payment waits for it. */
export async function processNotice(tx: Db, provider: ProviderRow, notice: PaymentNotice): Promise<NoticeOutcome> {
  if (notice.intent) await lockIntent(tx, provider, notice.intent)
  if (!(await storeNotice(tx, provider, notice))) return 'again'
  await tx
    .update(onlineProviders)
    .set({ lastHeardAt: new Date() })
    .where(and(eq(onlineProviders.companyId, provider.companyId), eq(onlineProviders.id, provider.id)))
  const payment = await lockPaymentOfNotice(tx, provider, notice)
  if (!payment) return 'aside'
  await applyFacts(tx, provider, payment, notice.intent)
  return 'done'
}
