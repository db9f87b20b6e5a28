import type { TomorrowHours } from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { heldBy } from '../../../core/held.ts'
import { operationScope } from '../../../core/operation.ts'
import { instantOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { issuedForecasts, operations, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { LEAST_DAYS } from './accuracy.ts'
import { hoursOf, isMeasured } from './window.ts'

const PAST_DAYS = 60
type Operation = { companyId: number; id: string; name: string }

/** What the hours announced on past eves were worth; null under fourteen of them. */
async function hitsOf(db: Db, companyId: number, operationId: string): Promise<TomorrowHours['hits']> {
  const { rows } = await db.execute<{ days: number; steps: number; hits: number }>(sql`
    select count(*)::int as days, coalesce(sum(window_steps), 0)::int as steps, coalesce(sum(window_hits), 0)::int as hits
      from forecast_scores
     where company_id = ${companyId} and subject_id = ${operationId} and kind = 'surplus' and lead = 1 and window_steps > 0
       and day >= ${addDays(today(), -PAST_DAYS)}`)
  const [row] = rows
  return row && row.days >= LEAST_DAYS ? { rate: row.hits / row.steps, days: row.days } : null
}

/** Tomorrow's hours of an operation, as this morning's forecast says them. */
export async function tomorrowOf(db: Db, { companyId, id, name }: Operation): Promise<TomorrowHours> {
  const day = addDays(today(), 1)
  const [row] = await db
    .select()
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, id),
        eq(issuedForecasts.kind, 'surplus'),
        eq(issuedForecasts.span, 'week'),
        eq(issuedForecasts.issuedOn, today()),
      ),
    )
  const about = { operationId: id, operationName: name, day, issuedAt: row?.issuedAt.toISOString() ?? null }
  const nothing = { from: null, to: null, chance: null, hits: null }
  if (!row) return { ...about, state: 'unknown', ...nothing }
  if (!isMeasured(row)) return { ...about, state: 'unmeasured', ...nothing }
  const hits = await hitsOf(db, companyId, id)
  const hours = hoursOf(row, day)
  if (!hours) return { ...about, state: 'none', ...nothing, hits }
  const { from, to, chance } = hours
  return { ...about, state: 'hours', from: instantOf(from), to: instantOf(to), chance, hits }
}

/** Who has left an operation has no use for its hours, and no right to them. */
const stillIn = (actor: Actor) => sql`exists (
  select 1 from ${participations}
   where ${participations.companyId} = ${operations.companyId} and ${participations.operationId} = ${operations.id}
     and ${participations.participantId} in ${heldBy(actor)} and ${participations.startsOn} <= ${today()}
     and (${participations.endsOn} is null or ${participations.endsOn} > ${today()}))`

const MOST = 50

export async function tomorrowHours(db: Db, actor: Actor, { operationId }: { operationId?: string | undefined }) {
  const found = await db
    .select({ companyId: operations.companyId, id: operations.id, name: operations.name })
    .from(operations)
    .where(
      and(
        operationScope(actor),
        operationId ? eq(operations.id, operationId) : eq(operations.status, 'active'),
        actor.space === 'office' ? undefined : stillIn(actor),
      ),
    )
    .orderBy(sql`fold(${operations.name})`)
    .limit(MOST)
  if (operationId && !found.length) throw new AppError('not-found')
  const items: TomorrowHours[] = []
  for (const operation of found) items.push(await tomorrowOf(db, operation))
  return items
}
