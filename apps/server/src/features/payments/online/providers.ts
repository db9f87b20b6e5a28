import type { PaymentEnvironment } from '@voisol/contract/online-views'
import { and, desc, eq, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { type OnlineProvider, PaymentError } from '../../../integrations/payments/payment-provider.ts'
import { createStripeProvider } from '../../../integrations/payments/stripe.ts'
import type { Secrets } from '../../../secrets.ts'

export type ProviderRow = typeof onlineProviders.$inferSelect
type ProviderRef = Pick<ProviderRow, 'companyId' | 'id'>
type ProviderDeps = Pick<Deps, 'secrets' | 'payments'>

const getSealContext = ({ companyId, id }: ProviderRef, part: 'key' | 'secret') => `online ${part} ${companyId} ${id}`
export const sealProviderSecret = (secrets: Secrets, place: ProviderRef, part: 'key' | 'secret', text: string) =>
  secrets.seal(text, getSealContext(place, part))
export const decryptWebhookSecret = (secrets: Secrets, row: ProviderRow): string | null =>
  row.secret === null ? null : secrets.open(row.secret, getSealContext(row, 'secret'))

export const getProviderEnvironment = ({ environment }: ProviderRow) => environment as PaymentEnvironment // only these are stored

const UNAVAILABLE_MESSAGES: Record<PaymentEnvironment, string> = {
  local: 'Le bac à sable du paiement n’est pas lancé\u00a0: il accompagne la démonstration.',
  test: 'Le prestataire de paiement n’a pas d’adresse sur cette installation.',
  live: 'Une clé réelle n’est acceptée que sur une installation de production.',
}

/** A client for the provider's host in its environment, which the operator configures. */
export function createProviderClient(
  { payments }: Pick<Deps, 'payments'>,
  environment: PaymentEnvironment,
  key: string,
): OnlineProvider {
  const host = payments.hosts[environment]
  if (!host) throw new AppError('conflict', { message: UNAVAILABLE_MESSAGES[environment] })
  return createStripeProvider({ host, key })
}
export const createClientOfProvider = (deps: ProviderDeps, row: ProviderRow): OnlineProvider =>
  createProviderClient(deps, getProviderEnvironment(row), deps.secrets.open(row.key, getSealContext(row, 'key')))

/** Turns an error of the provider into a sentence for the user. */
export async function withProviderErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof PaymentError)
      throw new AppError(error.nature === 'away' ? 'unavailable' : 'conflict', { message: error.message })
    throw error
  }
}

/** The seller's own provider, or the one of the organiser who collects for all. */
export async function findProviderForSeller(
  db: Db,
  companyId: number,
  sellerId: string,
): Promise<ProviderRow | undefined> {
  const { ownerId, everyone, closedAt } = onlineProviders
  const [row] = await db
    .select()
    .from(onlineProviders)
    .where(
      and(eq(onlineProviders.companyId, companyId), isNull(closedAt), or(eq(ownerId, sellerId), eq(everyone, true))),
    )
    .orderBy(desc(eq(ownerId, sellerId)))
    .limit(1)
  return row
}

export async function loadProvider(db: Db, companyId: number, id: string): Promise<ProviderRow> {
  const [row] = await db
    .select()
    .from(onlineProviders)
    .where(and(eq(onlineProviders.companyId, companyId), eq(onlineProviders.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export const buildWebhookUrl = (origin: string, { companyId, id }: Pick<ProviderRow, 'companyId' | 'id'>) =>
  `${origin}/api/online/webhooks/${companyId}/${id}`

const UNREACHABLE_WEBHOOK_MESSAGE =
  'Le prestataire refuse d’écrire à cette adresse\u00a0: elle doit être joignable depuis Internet en https. ' +
  'Donnez PUBLIC_URL, ou déclarez le webhook chez lui et saisissez son secret.'

/** Registers a webhook at this installation's address, unless it is there already. */
export async function registerWebhook(
  tx: Db,
  deps: ProviderDeps,
  row: ProviderRow,
  origin: string,
): Promise<ProviderRow> {
  const url = buildWebhookUrl(origin, row)
  if (row.secret !== null && row.hookUrl === url) return row
  const provider = createClientOfProvider(deps, row)
  const made = await provider.listen(url).catch((error: unknown) => {
    if (error instanceof PaymentError && error.nature === 'refused')
      throw new AppError('conflict', { message: UNREACHABLE_WEBHOOK_MESSAGE })
    throw error
  })
  if (row.hookId) await provider.unlisten(row.hookId).catch(() => {})
  const values = { hookId: made.id, hookUrl: url, secret: sealProviderSecret(deps.secrets, row, 'secret', made.secret) }
  await tx
    .update(onlineProviders)
    .set(values)
    .where(and(eq(onlineProviders.companyId, row.companyId), eq(onlineProviders.id, row.id)))
  return { ...row, ...values }
}
