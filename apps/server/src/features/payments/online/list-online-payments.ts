import type {
  OnlineMethod,
  OnlinePayment,
  OnlineProvider,
  OnlineState,
  UnmatchedNotice,
} from '@voisol/contract/online-views'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, onlineEvents, onlinePayments, onlineProviders, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { PaymentFactKind } from '../../../integrations/payments/payment-provider.ts'
import { invoiceScope } from '../../billing/invoices/index.ts'
import type { OnlinePaymentRow } from './process-notice.ts'
import { getProviderEnvironment, type ProviderRow } from './providers.ts'

const DECLINE_REASONS: Record<string, string> = {
  insufficient_funds: 'La banque refuse, faute de provision.',
  expired_card: 'La carte a expiré.',
  generic_decline: 'La banque refuse cette carte sans dire pourquoi.',
  lost_card: 'La banque refuse cette carte.',
  stolen_card: 'La banque refuse cette carte.',
  incorrect_cvc: 'Le cryptogramme n’est pas le bon.',
  authentication_required: 'La banque demande une confirmation qui n’a pas été donnée.',
  debit_not_authorized: 'Le titulaire du compte ou sa banque refuse ce prélèvement.',
  bank_account_closed: 'Le compte est clos.',
}
/** Why a payment was refused; an unknown code is shown as it is. */
const formatDeclineReason = (code: string): string =>
  code === '' ? '' : (DECLINE_REASONS[code] ?? `La banque refuse ce paiement (${code}).`)

const FACT_LABELS: Record<PaymentFactKind, string> = {
  completed: 'Page de paiement remplie',
  processing: 'Prélèvement en cours',
  paid: 'Paiement reçu',
  failed: 'Paiement refusé',
  expired: 'Page de paiement fermée sans paiement',
  refunded: 'Remboursement',
  refundFailed: 'Remboursement refusé par la banque',
  withdrawn: 'Somme reprise par une contestation',
  reinstated: 'Somme rendue après une contestation',
}

const getState = ({ state }: OnlinePaymentRow) => state as OnlineState // only computed by computePaymentStatus
const getMethod = ({ method }: OnlinePaymentRow) => method as OnlineMethod // the column only stores these values
const toIso = (at: Date | null) => at?.toISOString() ?? null

type OnlinePaymentListRow = { payment: OnlinePaymentRow; number: string; buyer: string; environment: string }

/** A page past its expiry is over, even without a message that says so. */
function toOnlinePayment(
  { payment, number, buyer, environment }: OnlinePaymentListRow,
  now = new Date(),
): OnlinePayment {
  const isExpired = payment.state === 'open' && payment.expiresAt <= now
  const state = isExpired ? 'expired' : getState(payment)
  return {
    id: payment.id,
    invoice: { id: payment.invoiceId, number },
    buyer,
    method: getMethod(payment),
    state,
    amount: payment.amount,
    net: payment.net,
    url: state === 'open' ? payment.url : null,
    reason: formatDeclineReason(payment.reason),
    sandbox: environment === 'local',
    startedAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  }
}

const selectOnlinePayments = (db: Db) =>
  db
    .select({
      payment: onlinePayments,
      number: invoices.number,
      buyer: sql<string>`${invoices.snapshot} #>> '{buyer,name}'`,
      environment: onlineProviders.environment,
    })
    .from(onlinePayments)
    .innerJoin(
      invoices,
      and(eq(invoices.companyId, onlinePayments.companyId), eq(invoices.id, onlinePayments.invoiceId)),
    )
    .innerJoin(
      onlineProviders,
      and(eq(onlineProviders.companyId, onlinePayments.companyId), eq(onlineProviders.id, onlinePayments.providerId)),
    )

export async function loadOnlinePayment(db: Db, actor: Actor, id: string): Promise<OnlinePayment> {
  const [found] = await selectOnlinePayments(db).where(
    and(eq(onlinePayments.companyId, actor.companyId), eq(onlinePayments.id, id), invoiceScope(actor)),
  )
  if (!found) throw new AppError('not-found')
  return toOnlinePayment(found)
}

const MAX_LISTED_ROWS = 200
export const listOnlinePayments = async (db: Db, actor: Actor): Promise<OnlinePayment[]> =>
  (
    await selectOnlinePayments(db)
      .where(and(eq(onlinePayments.companyId, actor.companyId), invoiceScope(actor)))
      .orderBy(desc(onlinePayments.createdAt))
      .limit(MAX_LISTED_ROWS)
  ).map((found) => toOnlinePayment(found))

/** The payment attempts of an invoice, latest first. */
export const listAttempts = async (db: Db, companyId: number, invoiceId: string): Promise<OnlinePayment[]> =>
  (
    await selectOnlinePayments(db)
      .where(and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.invoiceId, invoiceId)))
      .orderBy(desc(onlinePayments.createdAt))
  ).map((found) => toOnlinePayment(found))

const toOnlineProvider = (row: ProviderRow, owner: string): OnlineProvider => ({
  id: row.id,
  owner: { id: row.ownerId, name: owner },
  environment: getProviderEnvironment(row),
  everyone: row.everyone,
  card: row.card,
  debit: row.debit,
  hint: row.hint,
  account: row.account,
  testedAt: toIso(row.testedAt),
  lastHeardAt: toIso(row.lastHeardAt),
  refused: row.refused,
  refusedAt: toIso(row.refusedAt),
  webhookUrl: row.hookUrl,
  version: row.version,
})

export async function loadProviderView(db: Db, row: ProviderRow): Promise<OnlineProvider> {
  const [owner] = await db
    .select({ name: sellers.name })
    .from(sellers)
    .where(and(eq(sellers.companyId, row.companyId), eq(sellers.id, row.ownerId)))
  return toOnlineProvider(row, owner?.name ?? '')
}

export async function listOnlineProviders(db: Db, { companyId }: Actor): Promise<OnlineProvider[]> {
  const rows = await db
    .select({ row: onlineProviders, owner: sellers.name })
    .from(onlineProviders)
    .innerJoin(sellers, and(eq(sellers.companyId, onlineProviders.companyId), eq(sellers.id, onlineProviders.ownerId)))
    .where(and(eq(onlineProviders.companyId, companyId), isNull(onlineProviders.closedAt)))
    .orderBy(asc(sellers.name))
  return rows.map(({ row, owner }) => toOnlineProvider(row, owner))
}

/** Messages with a fact about an unknown payment, until a person files them. */
export async function listUnmatchedNotices(db: Db, { companyId }: Actor): Promise<UnmatchedNotice[]> {
  const known = sql`exists (select 1 from online_payments p where p.company_id = ${onlineEvents.companyId}
    and p.provider_id = ${onlineEvents.providerId} and (p.id::text = ${onlineEvents.reference}
      or p.checkout_id = ${onlineEvents.checkoutId} or p.intent_id = ${onlineEvents.intentId}))`
  const rows = await db
    .select({ event: onlineEvents, owner: sellers.name })
    .from(onlineEvents)
    .innerJoin(
      onlineProviders,
      and(eq(onlineProviders.companyId, onlineEvents.companyId), eq(onlineProviders.id, onlineEvents.providerId)),
    )
    .innerJoin(sellers, and(eq(sellers.companyId, onlineProviders.companyId), eq(sellers.id, onlineProviders.ownerId)))
    .where(
      and(
        eq(onlineEvents.companyId, companyId),
        isNull(onlineEvents.settledAt),
        sql`${onlineEvents.fact} is not null`,
        sql`not ${known}`,
      ),
    )
    .orderBy(desc(onlineEvents.at))
    .limit(MAX_LISTED_ROWS)
  return rows.map(({ event, owner }) => ({
    id: event.id,
    provider: owner,
    type: event.type,
    about: FACT_LABELS[event.fact as PaymentFactKind] ?? event.type, // written from PAYMENT_FACTS
    intent: event.intentId || event.checkoutId,
    amount: event.amount,
    at: event.at.toISOString(),
    receivedAt: event.createdAt.toISOString(),
  }))
}
