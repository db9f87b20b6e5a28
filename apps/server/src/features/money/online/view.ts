import type { Letter, OnlineMethod, OnlinePayment, OnlineProvider, OnlineState } from '@voisol/contract/online-views'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { FactKind } from '../../../adapters/payments/types.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, onlineEvents, onlinePayments, onlineProviders, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { invoiceScope } from '../invoices/invoices.ts'
import type { OnlinePaymentRow } from './hear.ts'
import { environmentOf, type ProviderRow } from './providers.ts'
import { FACT_WORDS, reasonWords } from './reasons.ts'

const stateOf = ({ state }: OnlinePaymentRow) => state as OnlineState // written from standingOf alone
const methodOf = ({ method }: OnlinePaymentRow) => method as OnlineMethod // the column holds only these
const iso = (at: Date | null) => at?.toISOString() ?? null

type Found = { payment: OnlinePaymentRow; number: string; buyer: string; environment: string }

/** A page that nobody finished in time is over, whether that was told or not. */
function viewOf({ payment, number, buyer, environment }: Found, now = new Date()): OnlinePayment {
  const late = payment.state === 'open' && payment.expiresAt <= now
  const state = late ? 'expired' : stateOf(payment)
  return {
    id: payment.id,
    invoice: { id: payment.invoiceId, number },
    buyer,
    method: methodOf(payment),
    state,
    amount: payment.amount,
    net: payment.net,
    url: state === 'open' ? payment.url : null,
    reason: reasonWords(payment.reason),
    sandbox: environment === 'local',
    startedAt: payment.createdAt.toISOString(),
    updatedAt: payment.updatedAt.toISOString(),
  }
}

const select = (db: Db) =>
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

export async function getPayment(db: Db, actor: Actor, id: string): Promise<OnlinePayment> {
  const [found] = await select(db).where(
    and(eq(onlinePayments.companyId, actor.companyId), eq(onlinePayments.id, id), invoiceScope(actor)),
  )
  if (!found) throw new AppError('not-found')
  return viewOf(found)
}

const MOST = 200
export const listPayments = async (db: Db, actor: Actor): Promise<OnlinePayment[]> =>
  (
    await select(db)
      .where(and(eq(onlinePayments.companyId, actor.companyId), invoiceScope(actor)))
      .orderBy(desc(onlinePayments.createdAt))
      .limit(MOST)
  ).map((found) => viewOf(found))

/** The attempts of one invoice, the last first. */
export const attemptsOf = async (db: Db, companyId: number, invoiceId: string): Promise<OnlinePayment[]> =>
  (
    await select(db)
      .where(and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.invoiceId, invoiceId)))
      .orderBy(desc(onlinePayments.createdAt))
  ).map((found) => viewOf(found))

export const toProvider = (row: ProviderRow, owner: string): OnlineProvider => ({
  id: row.id,
  owner: { id: row.ownerId, name: owner },
  environment: environmentOf(row),
  everyone: row.everyone,
  card: row.card,
  debit: row.debit,
  hint: row.hint,
  account: row.account,
  testedAt: iso(row.testedAt),
  lastHeardAt: iso(row.lastHeardAt),
  refused: row.refused,
  refusedAt: iso(row.refusedAt),
  webhookUrl: row.hookUrl,
  version: row.version,
})

export async function viewProvider(db: Db, row: ProviderRow): Promise<OnlineProvider> {
  const [owner] = await db
    .select({ name: sellers.name })
    .from(sellers)
    .where(and(eq(sellers.companyId, row.companyId), eq(sellers.id, row.ownerId)))
  return toProvider(row, owner?.name ?? '')
}

export async function listProviders(db: Db, { companyId }: Actor): Promise<OnlineProvider[]> {
  const rows = await db
    .select({ row: onlineProviders, owner: sellers.name })
    .from(onlineProviders)
    .innerJoin(sellers, and(eq(sellers.companyId, onlineProviders.companyId), eq(sellers.id, onlineProviders.ownerId)))
    .where(and(eq(onlineProviders.companyId, companyId), isNull(onlineProviders.closedAt)))
    .orderBy(asc(sellers.name))
  return rows.map(({ row, owner }) => toProvider(row, owner))
}

/** Messages that say something and that no attempt answers to, until somebody says what they did about it. */
export async function listLetters(db: Db, { companyId }: Actor): Promise<Letter[]> {
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
    .limit(MOST)
  return rows.map(({ event, owner }) => ({
    id: event.id,
    provider: owner,
    type: event.type,
    about: FACT_WORDS[event.fact as FactKind] ?? event.type, // written from FACTS alone
    intent: event.intentId || event.checkoutId,
    amount: event.amount,
    at: event.at.toISOString(),
    receivedAt: event.createdAt.toISOString(),
  }))
}
