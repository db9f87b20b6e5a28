import { SILENT_DAYS } from '@voisol/contract/insight-words'
import type { Insight } from '@voisol/contract/insights'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { insights } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { findRows, insightScope, toInsights } from './view.ts'

type Decision = { state: 'accepted' } | { state: 'dismissed'; reason: string }

/** Only what stands is decided upon: what closed itself, or was dismissed, is over. */
const STANDING = ['open', 'accepted']

export async function decide(
  tx: Db,
  actor: Actor,
  id: string,
  wanted: { version: number },
  decision: Decision,
): Promise<Insight> {
  const where = and(eq(insights.companyId, actor.companyId), eq(insights.id, id), insightScope(actor))
  const [row] = await tx.select().from(insights).where(where).for('update')
  if (!row) throw new AppError('not-found')
  requireVersion({ version: row.version }, wanted)
  if (!STANDING.includes(row.state)) throw new AppError('conflict', { message: 'Ce constat est déjà refermé.' })
  const silent =
    decision.state === 'dismissed'
      ? { reason: decision.reason, silentUntil: addDays(today(), SILENT_DAYS), closedAt: new Date() }
      : { reason: '', silentUntil: null }
  await tx
    .update(insights)
    .set({ state: decision.state, ...silent, decidedBy: nameOfActor(actor), version: row.version + 1 })
    .where(and(eq(insights.companyId, actor.companyId), eq(insights.id, id)))
  const [told] = await toInsights(tx, actor.companyId, await findRows(tx, actor, eq(insights.id, id)))
  if (!told) throw new AppError('not-found')
  const { operationId, rule, cents } = row
  const data = { insightId: id, operationId, rule, cents, state: decision.state }
  await record(tx, { companyId: actor.companyId, name: 'insight.decided', object: id, data })
  return told
}
