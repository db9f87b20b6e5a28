import type { OnlineState } from '@voisol/contract/online-views'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { and, asc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, setWriteCompany, transaction } from '../../../db/client.ts'
import { onlineEvents, onlinePayments, onlineProviders, payments } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { verifyPaymentNotice } from '../../../integrations/payments/payment-notices.ts'
import {
  ForgedNotice,
  PAYMENT_FACTS,
  type PaymentFact,
  type PaymentFactKind,
  type PaymentNotice,
} from '../../../integrations/payments/payment-provider.ts'
import { toParisDay } from '../../../today.ts'
import { findInvoiceById } from '../../billing/invoices/index.ts'
import { postPayment, reversePayment } from '../payments/index.ts'
import { createClientOfProvider, decryptWebhookSecret, loadProvider, type ProviderRow } from './providers.ts'

type OnlinePaymentStatus = {
  state: OnlineState
  /** The amount now with the seller. */
  net: number
  /** When money last moved. */
  at: Date | null
  reason: string
}

/** The same fact received twice counts once; with different figures, the later one counts. */
function deduplicateFacts(facts: readonly PaymentFact[]): Map<string, PaymentFact> {
  const known = new Map<string, PaymentFact>()
  for (const fact of facts) {
    const key = `${fact.kind} ${fact.object}`
    const other = known.get(key)
    const later = !other || fact.at > other.at || (+fact.at === +other.at && fact.amount > other.amount)
    if (later) known.set(key, fact)
  }
  return known
}

const sum = (facts: readonly PaymentFact[]) => facts.reduce((total, { amount }) => total + amount, 0)

/**
 * The status of a payment from all facts received. Facts never expire, so only their set matters and not their order; a
 * refund or dispute counts unless the same refund failed or the same dispute was won.
 */
export function computePaymentStatus(facts: readonly PaymentFact[]): OnlinePaymentStatus {
  const known = deduplicateFacts(facts)
  const paid = known.get('paid ')
  if (!paid) return computeUnpaidStatus(known)
  const factsOfKind = (kind: PaymentFactKind) => [...known.values()].filter((fact) => fact.kind === kind)
  const factsNotUndone = (kind: PaymentFactKind, undone: PaymentFactKind) =>
    factsOfKind(kind).filter(({ object }) => !known.has(`${undone} ${object}`))
  const refunded = sum(factsNotUndone('refunded', 'refundFailed'))
  const withdrawn = sum(factsNotUndone('withdrawn', 'reinstated'))
  const net = Math.max(0, paid.amount - refunded - withdrawn)
  const moved = [
    paid,
    ...factsOfKind('refunded'),
    ...factsOfKind('refundFailed'),
    ...factsOfKind('withdrawn'),
    ...factsOfKind('reinstated'),
  ]
  const at = new Date(Math.max(...moved.map((fact) => +fact.at)))
  const state = withdrawn > 0 ? 'disputed' : refunded === 0 ? 'paid' : net > 0 ? 'partly' : 'refunded'
  return { state, net, at, reason: '' }
}

function computeUnpaidStatus(known: Map<string, PaymentFact>): OnlinePaymentStatus {
  const [failed, processing] = [known.get('failed '), known.get('processing ')]
  const nothing = { net: 0, at: null, reason: '' }
  // A debit can fail after it was ordered; a card may be refused and another one accepted.
  if (processing && (!failed || failed.at < processing.at)) return { ...nothing, state: 'processing' }
  if (failed && (processing || known.has('completed '))) return { ...nothing, state: 'failed', reason: failed.reason }
  if (known.has('expired ')) return { ...nothing, state: 'expired', reason: failed?.reason ?? '' }
  return { ...nothing, state: 'open', reason: failed?.reason ?? '' }
}

const ONLINE_PAYMENT_LABEL = 'Paiement en ligne'

/** The receipts of a payment intent, the first and its replacements; at most one is in force. */
async function loadReceipts(tx: Db, companyId: number, source: string) {
  const own = or(eq(payments.source, source), sql`starts_with(${payments.source}, ${`${source}#`})`)
  // Table names are written out: in a query on one table columns have no prefix, and would refer to the inner table.
  const back = sql<boolean>`exists (select 1 from payments b
    where b.company_id = payments.company_id and b.reverses_id = payments.id)`
  return tx
    .select({ id: payments.id, amount: payments.amount, bookedOn: payments.bookedOn, back })
    .from(payments)
    .where(and(eq(payments.companyId, companyId), eq(payments.kind, 'receipt'), own))
    .orderBy(asc(payments.createdAt))
}

/**
 * Adjusts the account to what the provider holds: the receipt in force is the rest of the payment. When that changed,
 * the receipt is reversed whole, which reopens what it had closed, and the rest is received again.
 */
async function syncReceipts(
  tx: Db,
  provider: ProviderRow,
  payment: OnlinePaymentRow,
  { net, at }: OnlinePaymentStatus,
) {
  if (!at || !payment.intentId) return
  const { companyId } = payment
  const source = `online:${payment.intentId}`
  const receipts = await loadReceipts(tx, companyId, source)
  const currentReceipt = receipts.find(({ back }) => !back)
  if ((currentReceipt?.amount ?? 0) === net) return
  const bookedOn = toParisDay(at)
  if (currentReceipt) {
    const note = `${ONLINE_PAYMENT_LABEL} repris\u00a0: il en reste ${formatEuros(net)}.`
    const order = { paymentId: currentReceipt.id, kind: 'return' as const, bookedOn, note }
    await reversePayment(tx, companyId, { ...order, source: `${source}:back${receipts.length}` }, ONLINE_PAYMENT_LABEL)
  }
  if (net === 0) return
  const invoice = await findInvoiceById(tx, companyId, payment.invoiceId)
  if (!invoice) throw new AppError('internal')
  const { sellerId, buyerId, clientSellerId, number } = invoice
  const pair = { sellerId, buyerId, clientSellerId }
  await postPayment(
    tx,
    companyId,
    {
      ...pair,
      kind: 'receipt',
      amount: net,
      method: payment.method === 'card' ? 'card' : 'onlineDebit',
      bookedOn,
      accountId: provider.accountId,
      source: receipts.length ? `${source}#${receipts.length}` : source,
      references: [number],
    },
    ONLINE_PAYMENT_LABEL,
  )
}

export type OnlinePaymentRow = typeof onlinePayments.$inferSelect
type NoticeOutcome = 'done' | 'again' | 'aside'
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

/** Messages may be dated a little before they can be listed. */
const OVERLAP_MS = 86_400_000
/** How long a provider keeps its messages. */
const MAX_LOOKBACK_MS = 28 * 86_400_000

/** A payment can be disputed for thirteen months, so a disconnected provider is polled that long. */
const DISPUTE_PERIOD_MS = 400 * 86_400_000

const loadUnansweredPayments = (db: Db, { companyId, id }: ProviderRow, before: Date) =>
  db
    .select({ checkoutId: onlinePayments.checkoutId })
    .from(onlinePayments)
    .where(
      and(
        eq(onlinePayments.companyId, companyId),
        eq(onlinePayments.providerId, id),
        inArray(onlinePayments.state, ['open', 'processing']),
        lt(onlinePayments.updatedAt, before),
      ),
    )

/** Fetches a provider's messages since the last poll, and the state of payments without any message. */
async function pollProvider(deps: Deps, provider: ProviderRow, now = new Date()): Promise<void> {
  const db = scopeToCompany(deps.db, provider.companyId)
  const client = createClientOfProvider(deps, provider)
  const since = Math.max(+(provider.askedAt ?? provider.createdAt) - OVERLAP_MS, +now - MAX_LOOKBACK_MS)
  const notices = await client.since(new Date(since))
  for (const notice of notices) await transaction(db, (tx) => processNotice(tx, provider, notice))
  for (const { checkoutId } of await loadUnansweredPayments(db, provider, now))
    for (const notice of await client.fetch(checkoutId))
      await transaction(db, (tx) => processNotice(tx, provider, notice))
  await db
    .update(onlineProviders)
    .set({ askedAt: now })
    .where(and(eq(onlineProviders.companyId, provider.companyId), eq(onlineProviders.id, provider.id)))
}

/** Runs every night to fetch missed messages. An unreachable provider does not stop the others. */
export async function pollProviders(deps: Deps): Promise<void> {
  const open = or(
    isNull(onlineProviders.closedAt),
    gt(onlineProviders.closedAt, new Date(Date.now() - DISPUTE_PERIOD_MS)),
  )
  const rows = await deps.db.select().from(onlineProviders).where(open)
  for (const provider of rows) {
    if (provider.environment === 'local' && !deps.payments.hosts.local) continue
    await pollProvider(deps, provider).catch((error: unknown) =>
      deps.log.warn({ err: error, provider: provider.id }, 'online payments were not asked for'),
    )
  }
}

/** Files an unmatched message with a note on what was done about it. */
export async function settleUnmatchedNotice(tx: Db, actor: Actor, id: string, note: string): Promise<string> {
  const [row] = await tx
    .update(onlineEvents)
    .set({ settledAt: new Date(), settledBy: formatActorName(actor), note })
    .where(and(eq(onlineEvents.companyId, actor.companyId), eq(onlineEvents.id, id), isNull(onlineEvents.settledAt)))
    .returning({ eventId: onlineEvents.eventId })
  if (!row) throw new AppError('not-found')
  return row.eventId
}

type WebhookMessage = { companyId: number; id: string; body: Uint8Array; signature: string }

/** Counted outside the request's transaction, which is rolled back. */
const countForgedMessage = (aside: Db, { companyId, id }: ProviderRow) =>
  aside
    .update(onlineProviders)
    .set({ refused: sql`${onlineProviders.refused} + 1`, refusedAt: new Date() })
    .where(and(eq(onlineProviders.companyId, companyId), eq(onlineProviders.id, id)))

/** Stores and applies a message with a valid signature; any other is refused and counted. */
export async function receiveWebhook(
  tx: Db,
  deps: Pick<Deps, 'secrets' | 'aside'>,
  message: WebhookMessage,
): Promise<NoticeOutcome> {
  const provider = await loadProvider(tx, message.companyId, message.id)
  const secret = decryptWebhookSecret(deps.secrets, provider)
  await setWriteCompany(tx, provider.companyId)
  try {
    if (secret === null) throw new ForgedNotice('nothing is expected from this provider')
    return await processNotice(tx, provider, verifyPaymentNotice(message.body, message.signature, secret))
  } catch (error) {
    if (!(error instanceof ForgedNotice)) throw error
    await countForgedMessage(deps.aside, provider)
    throw new AppError('malformed', {
      message: 'La signature de ce message ne prouve pas qui l’a écrit\u00a0: il est refusé.',
    })
  }
}
