import type { NewSending } from '@voisol/contract/regulatory'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { regulatoryExports, regulatorySendings } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadRegulatoryExport } from './view.ts'

type SendingEventData = Pick<z.output<typeof NewSending>, 'sentOn' | 'channel'>

/** A recorded sending is never changed. */
export async function recordExportSending(
  tx: Db,
  actor: Actor,
  id: string,
  { to, ...sending }: z.output<typeof NewSending>,
) {
  const made = await loadRegulatoryExport(tx, actor, id)
  if (sending.sentOn > getToday())
    throw fieldError('sentOn', 'Un envoi se note une fois fait\u00a0: cette date est à venir.')
  if (sending.sentOn < made.madeAt.slice(0, 10))
    throw fieldError(
      'sentOn',
      `Cette version a été établie le ${made.madeAt.slice(0, 10).split('-').reverse().join('/')}\u00a0: elle n’a pas pu partir avant.`,
    )
  await tx
    .insert(regulatorySendings)
    .values({ ...sending, companyId: actor.companyId, exportId: id, recipient: to, createdBy: formatActorName(actor) })
  await recordSentEvent(tx, actor.companyId, id, sending)
  return loadRegulatoryExport(tx, actor, id)
}

async function recordSentEvent(
  tx: Db,
  companyId: number,
  id: string,
  { sentOn: on, channel }: SendingEventData,
): Promise<void> {
  const own = and(eq(regulatoryExports.companyId, companyId), eq(regulatoryExports.id, id))
  const [row] = await tx.select().from(regulatoryExports).where(own)
  if (!row) return
  const { operationId, kind, period, number } = row
  const data = { exportId: id, operationId, kind, period, number, on, channel }
  await recordEvent(tx, { companyId, name: 'regulatory.sent', object: id, data })
}
