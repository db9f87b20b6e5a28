import { and, eq, sql } from 'drizzle-orm'
import { ForgedNotice } from '../../../adapters/payments/faults.ts'
import { verifyPaymentNotice } from '../../../adapters/payments/signature.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { type NoticeOutcome, processNotice } from './hear.ts'
import { decryptWebhookSecret, loadProvider, type ProviderRow } from './providers.ts'

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
