import { and, eq } from 'drizzle-orm'
import { PaymentError } from '../../../adapters/payments/faults.ts'
import type { Db } from '../../../db/client.ts'
import { onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { createClientOfProvider, type ProviderRow, sealProviderSecret } from './providers.ts'

type ProviderDeps = Pick<Deps, 'secrets' | 'payments'>

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
