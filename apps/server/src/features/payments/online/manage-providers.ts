import type { NewOnlineProvider, OnlineProviderUpdate } from '@voisol/contract/online'
import type { PaymentEnvironment } from '@voisol/contract/online-views'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, onlineProviders, sellers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  buildWebhookUrl,
  createClientOfProvider,
  createProviderClient,
  getProviderEnvironment,
  loadProvider,
  type ProviderRow,
  registerWebhook,
  sealProviderSecret,
  withProviderErrors,
} from './providers.ts'

type ManageProviderDeps = Pick<Deps, 'secrets' | 'payments' | 'config'>
type AddProviderInput = z.output<typeof NewOnlineProvider>
type UpdateProviderInput = z.output<typeof OnlineProviderUpdate>

/** The API key of a company at the simulated provider; it is valid nowhere else. */
const buildSimulatorKey = (companyId: number) => `sk_test_bacasable${companyId}`

/**
 * Checks that the key matches the chosen mode, before it is tried: a live key outside production would move real money
 * by mistake.
 */
function requireApiKey(
  environment: PaymentEnvironment,
  typedKey: string,
  companyId: number,
  production: boolean,
): string {
  if (environment === 'local') return buildSimulatorKey(companyId)
  const live = /^[rs]k_live_/.test(typedKey)
  if (typedKey === '') throw fieldError('key', 'Saisissez la clé secrète du prestataire, par exemple sk_test_51Hx….')
  if (live && !production)
    throw fieldError(
      'key',
      'Cette clé est réelle\u00a0: hors production, seule une clé d’essai (sk_test_…) est acceptée.',
    )
  if (live !== (environment === 'live'))
    throw fieldError(
      'key',
      `Une clé ${environment === 'live' ? 'réelle (sk_live_…)' : 'd’essai (sk_test_…)'} est attendue.`,
    )
  return typedKey
}

async function requireOwner(tx: Db, companyId: number, ownerId: string) {
  const [owner] = await tx
    .select({ name: sellers.name })
    .from(sellers)
    .where(and(eq(sellers.companyId, companyId), eq(sellers.id, ownerId)))
  if (!owner) throw new AppError('not-found')
  const [taken] = await tx
    .select({ id: onlineProviders.id })
    .from(onlineProviders)
    .where(
      and(
        eq(onlineProviders.companyId, companyId),
        eq(onlineProviders.ownerId, ownerId),
        isNull(onlineProviders.closedAt),
      ),
    )
  if (taken)
    throw fieldError(
      'ownerId',
      `${owner.name} a déjà un prestataire\u00a0: modifiez-le, ou débranchez-le d’abord.`,
      'conflict',
    )
  return owner
}

async function requireOneForAll(tx: Db, companyId: number, { everyone }: { everyone: boolean }, exceptId?: string) {
  if (!everyone) return
  const others = and(eq(onlineProviders.everyone, true), isNull(onlineProviders.closedAt))
  const [other] = await tx
    .select({ id: onlineProviders.id })
    .from(onlineProviders)
    .where(
      and(eq(onlineProviders.companyId, companyId), others, exceptId ? ne(onlineProviders.id, exceptId) : undefined),
    )
  if (other)
    throw fieldError(
      'everyone',
      'Un autre prestataire encaisse déjà pour tous les vendeurs\u00a0: un seul le peut.',
      'conflict',
    )
}

const updateProviderColumns = async (
  tx: Db,
  row: Pick<ProviderRow, 'companyId' | 'id'>,
  values: Partial<ProviderRow>,
) => {
  const which = and(eq(onlineProviders.companyId, row.companyId), eq(onlineProviders.id, row.id))
  const [saved] = await tx.update(onlineProviders).set(values).where(which).returning()
  if (!saved) throw new AppError('not-found')
  return saved
}

/** Tries the key before it is stored: an invalid one is refused at its field. */
async function checkApiKey(deps: ManageProviderDeps, environment: PaymentEnvironment, key: string): Promise<string> {
  const { account } = await withProviderErrors(createProviderClient(deps, environment, key).check()).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'conflict') throw fieldError('key', error.message)
      throw error
    },
  )
  return account
}

/** Uses the webhook secret that was typed, or asks the provider for one. */
const configureWebhook = async (
  tx: Db,
  deps: ManageProviderDeps,
  row: ProviderRow,
  typedSecret: string,
  origin: string,
) =>
  typedSecret
    ? updateProviderColumns(tx, row, {
        secret: sealProviderSecret(deps.secrets, row, 'secret', typedSecret),
        hookId: '',
        hookUrl: buildWebhookUrl(origin, row),
      })
    : withProviderErrors(registerWebhook(tx, deps, row, origin))

export async function addProvider(
  tx: Db,
  deps: ManageProviderDeps,
  { companyId }: Actor,
  draft: AddProviderInput,
  origin: string,
) {
  const { ownerId, environment, everyone, card, debit, webhookSecret } = draft
  const key = requireApiKey(environment, draft.key, companyId, deps.config.production)
  const owner = await requireOwner(tx, companyId, ownerId)
  await requireOneForAll(tx, companyId, draft)
  const account = await checkApiKey(deps, environment, key)
  const money = {
    companyId,
    id: crypto.randomUUID(),
    ownerId,
    kind: 'online',
    name: `Paiement en ligne, ${owner.name}`,
  }
  await tx.insert(bankAccounts).values(money)
  const place = { companyId, id: crypto.randomUUID() }
  const sealed = {
    key: sealProviderSecret(deps.secrets, place, 'key', key),
    hint: key.slice(-4),
    account,
    testedAt: new Date(),
  }
  const choice = { ownerId, environment, accountId: money.id, everyone, card, debit }
  const values = { companyId, id: place.id, ...sealed, ...choice }
  const [row] = await tx.insert(onlineProviders).values(values).returning()
  if (!row) throw new AppError('internal')
  return configureWebhook(tx, deps, row, webhookSecret, origin)
}

/**
 * A key of another provider account replaces the first one: payments there are no longer followed, so none may be open.
 */
async function renewApiKey(deps: ManageProviderDeps, row: ProviderRow, typedKey: string) {
  if (typedKey === '' || getProviderEnvironment(row) === 'local') return {}
  const key = requireApiKey(getProviderEnvironment(row), typedKey, row.companyId, deps.config.production)
  const account = await checkApiKey(deps, getProviderEnvironment(row), key)
  if (account !== row.account)
    throw fieldError(
      'key',
      'Cette clé est celle d’un autre compte\u00a0: débranchez ce prestataire, puis branchez l’autre, pour que ses paiements restent suivis.',
    )
  return { key: sealProviderSecret(deps.secrets, row, 'key', key), hint: key.slice(-4), testedAt: new Date() }
}

export async function updateProvider(
  tx: Db,
  deps: ManageProviderDeps,
  actor: Actor,
  id: string,
  change: UpdateProviderInput,
  origin: string,
) {
  const before = await lockProvider(tx, actor.companyId, id)
  requireCurrentVersion(before, change)
  await requireOneForAll(tx, actor.companyId, change, id)
  const { everyone, card, debit, webhookSecret } = change
  const renewed = await renewApiKey(deps, before, change.key)
  const row = await updateProviderColumns(tx, before, {
    ...renewed,
    everyone,
    card,
    debit,
    version: before.version + 1,
  })
  const after = webhookSecret ? await configureWebhook(tx, deps, row, webhookSecret, origin) : row
  return { before, after }
}

async function lockProvider(tx: Db, companyId: number, id: string): Promise<ProviderRow> {
  const which = and(
    eq(onlineProviders.companyId, companyId),
    eq(onlineProviders.id, id),
    isNull(onlineProviders.closedAt),
  )
  const [row] = await tx.select().from(onlineProviders).where(which).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

export const closeProvider = async (tx: Db, { companyId }: Actor, id: string) =>
  updateProviderColumns(tx, await lockProvider(tx, companyId, id), { closedAt: new Date() })

export async function testProvider(tx: Db, deps: ManageProviderDeps, { companyId }: Actor, id: string, origin: string) {
  const row = await loadProvider(tx, companyId, id)
  await withProviderErrors(createClientOfProvider(deps, row).check())
  const provider =
    row.hookId || row.secret === null ? await withProviderErrors(registerWebhook(tx, deps, row, origin)) : row
  return updateProviderColumns(tx, provider, { testedAt: new Date() })
}

/**
 * Adds the simulated provider for all sellers of a demo, without calling it; its webhook is registered at the first
 * payment.
 */
export async function seedLocalProvider(
  tx: Db,
  secrets: Secrets,
  companyId: number,
  owner: { id: string; name: string },
) {
  const [known] = await tx
    .select({ id: onlineProviders.id })
    .from(onlineProviders)
    .where(eq(onlineProviders.companyId, companyId))
    .limit(1)
  if (known) return
  const accountId = crypto.randomUUID()
  const account = { companyId, id: accountId, ownerId: owner.id, kind: 'online' }
  await tx.insert(bankAccounts).values({ ...account, name: `Paiement en ligne, ${owner.name}` })
  const id = crypto.randomUUID()
  const key = buildSimulatorKey(companyId)
  const sealed = { key: sealProviderSecret(secrets, { companyId, id }, 'key', key), hint: key.slice(-4) }
  const choice = { environment: 'local', everyone: true, card: true, debit: true }
  await tx.insert(onlineProviders).values({ companyId, id, ownerId: owner.id, accountId, ...sealed, ...choice })
}
