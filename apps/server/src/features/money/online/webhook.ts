import { and, eq, sql } from 'drizzle-orm'
import { ForgedNotice } from '../../../adapters/payments/faults.ts'
import { heard } from '../../../adapters/payments/signature.ts'
import { type Db, writeFor } from '../../../db/client.ts'
import { onlineProviders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { type Heard, hear } from './hear.ts'
import { openSecret, type ProviderRow, providerOf } from './providers.ts'

type Message = { companyId: number; id: string; body: Uint8Array; signature: string }

/** Counted beside the call, which is refused. */
const countForged = (aside: Db, { companyId, id }: ProviderRow) =>
  aside
    .update(onlineProviders)
    .set({ refused: sql`${onlineProviders.refused} + 1`, refusedAt: new Date() })
    .where(and(eq(onlineProviders.companyId, companyId), eq(onlineProviders.id, id)))

/** A message that its signature proves is kept and done; any other is refused and counted. */
export async function receive(tx: Db, deps: Pick<Deps, 'secrets' | 'aside'>, message: Message): Promise<Heard> {
  const provider = await providerOf(tx, message.companyId, message.id)
  const secret = openSecret(deps.secrets, provider)
  await writeFor(tx, provider.companyId)
  try {
    if (secret === null) throw new ForgedNotice('nothing is expected from this provider')
    return await hear(tx, provider, heard(message.body, message.signature, secret))
  } catch (error) {
    if (!(error instanceof ForgedNotice)) throw error
    await countForged(deps.aside, provider)
    throw new AppError('malformed', {
      message: 'La signature de ce message ne prouve pas qui l’a écrit\u00a0: il est refusé.',
    })
  }
}
