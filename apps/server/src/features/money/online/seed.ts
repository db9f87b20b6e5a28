import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bankAccounts, onlineProviders } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { buildSimulatorKey } from './manage.ts'
import { sealProviderSecret } from './providers.ts'

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
