import { DISMISSAL_DAYS } from '@voisol/contract/insight-words'
import type { Insight } from '@voisol/contract/insights'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { insights } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { insightScope, listInsightRows, toInsights } from './view.ts'

type InsightDecision = { state: 'accepted' } | { state: 'dismissed'; reason: string }

/** Only open or accepted findings can be decided: closed or dismissed ones are over. */
const DECIDABLE_STATES = ['open', 'accepted']

export async function decideInsight(
  tx: Db,
  actor: Actor,
  id: string,
  expected: { version: number },
  decision: InsightDecision,
): Promise<Insight> {
  const where = and(eq(insights.companyId, actor.companyId), eq(insights.id, id), insightScope(actor))
  const [row] = await tx.select().from(insights).where(where).for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion({ version: row.version }, expected)
  if (!DECIDABLE_STATES.includes(row.state)) throw new AppError('conflict', { message: 'Ce constat est déjà refermé.' })
  const silent =
    decision.state === 'dismissed'
      ? { reason: decision.reason, silentUntil: addDays(getToday(), DISMISSAL_DAYS), closedAt: new Date() }
      : { reason: '', silentUntil: null }
  await tx
    .update(insights)
    .set({ state: decision.state, ...silent, decidedBy: formatActorName(actor), version: row.version + 1 })
    .where(and(eq(insights.companyId, actor.companyId), eq(insights.id, id)))
  const [insight] = await toInsights(tx, actor.companyId, await listInsightRows(tx, actor, eq(insights.id, id)))
  if (!insight) throw new AppError('not-found')
  const { operationId, rule, cents } = row
  const data = { insightId: id, operationId, rule, cents, state: decision.state }
  await recordEvent(tx, { companyId: actor.companyId, name: 'insight.decided', object: id, data })
  return insight
}
