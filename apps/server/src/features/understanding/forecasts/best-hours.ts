import type { TomorrowHours } from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { participantIdsOfUser } from '../../../core/held.ts'
import { operationScope } from '../../../core/operation.ts'
import { formatMinuteAsIso } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { issuedForecasts, operations, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { MIN_SCORED_DAYS } from './accuracy.ts'
import { computeBestHours, hasKnownChance } from './window.ts'

const HIT_RATE_DAYS = 60
type OperationRef = { companyId: number; id: string; name: string }

/** The hit rate of hours announced on past evenings; null with fewer than fourteen. */
async function loadAnnouncedHitRate(db: Db, companyId: number, operationId: string): Promise<TomorrowHours['hits']> {
  const { rows } = await db.execute<{ days: number; steps: number; hits: number }>(sql`
    select count(*)::int as days, coalesce(sum(window_steps), 0)::int as steps, coalesce(sum(window_hits), 0)::int as hits
      from forecast_scores
     where company_id = ${companyId} and subject_id = ${operationId} and kind = 'surplus' and lead = 1 and window_steps > 0
       and day >= ${addDays(getToday(), -HIT_RATE_DAYS)}`)
  const [row] = rows
  return row && row.days >= MIN_SCORED_DAYS ? { rate: row.hits / row.steps, days: row.days } : null
}

/** Tomorrow's best hours of an operation, by this morning's forecast. */
export async function loadTomorrowHours(db: Db, { companyId, id, name }: OperationRef): Promise<TomorrowHours> {
  const day = addDays(getToday(), 1)
  const [row] = await db
    .select()
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, id),
        eq(issuedForecasts.kind, 'surplus'),
        eq(issuedForecasts.span, 'week'),
        eq(issuedForecasts.issuedOn, getToday()),
      ),
    )
  const identity = { operationId: id, operationName: name, day, issuedAt: row?.issuedAt.toISOString() ?? null }
  const noHours = { from: null, to: null, chance: null, hits: null }
  if (!row) return { ...identity, state: 'unknown', ...noHours }
  if (!hasKnownChance(row)) return { ...identity, state: 'unmeasured', ...noHours }
  const hits = await loadAnnouncedHitRate(db, companyId, id)
  const hours = computeBestHours(row, day)
  if (!hours) return { ...identity, state: 'none', ...noHours, hits }
  const { from, to, chance } = hours
  return { ...identity, state: 'hours', from: formatMinuteAsIso(from), to: formatMinuteAsIso(to), chance, hits }
}

/** A past member has no right to the operation's hours. */
const participatesToday = (actor: Actor) => sql`exists (
  select 1 from ${participations}
   where ${participations.companyId} = ${operations.companyId} and ${participations.operationId} = ${operations.id}
     and ${participations.participantId} in ${participantIdsOfUser(actor)} and ${participations.startsOn} <= ${getToday()}
     and (${participations.endsOn} is null or ${participations.endsOn} > ${getToday()}))`

const MAX_LISTED_OPERATIONS = 50

export async function listTomorrowHours(db: Db, actor: Actor, { operationId }: { operationId?: string | undefined }) {
  const found = await db
    .select({ companyId: operations.companyId, id: operations.id, name: operations.name })
    .from(operations)
    .where(
      and(
        operationScope(actor),
        operationId ? eq(operations.id, operationId) : eq(operations.status, 'active'),
        actor.space === 'office' ? undefined : participatesToday(actor),
      ),
    )
    .orderBy(sql`fold(${operations.name})`)
    .limit(MAX_LISTED_OPERATIONS)
  if (operationId && !found.length) throw new AppError('not-found')
  const items: TomorrowHours[] = []
  for (const operation of found) items.push(await loadTomorrowHours(db, operation))
  return items
}
