import type { TomorrowHours } from '@voisol/contract/forecasts'
import { addDays, localTime } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import { operationScope, participantIdsOfUser } from '../../../core/access-scopes.ts'
import { formatMinuteAsIso } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { issuedForecasts, operations, participations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { notify } from '../../identity/notifications/index.ts'
import { computeBestHours, hasKnownChance } from './issued-forecasts.ts'
import { MIN_SCORED_DAYS } from './score-forecasts.ts'

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
async function loadTomorrowHours(db: Db, { companyId, id, name }: OperationRef): Promise<TomorrowHours> {
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

type NotifiedOperation = { companyId: number; id: string; name: string }

const listOperationsToNotify = async (db: Db): Promise<NotifiedOperation[]> => {
  const { rows } = await db.execute<NotifiedOperation>(sql`
    select o.company_id as "companyId", o.id, o.name from operations o
     where o.status = 'active' and exists (select from issued_forecasts i
       where i.company_id = o.company_id and i.subject_id = o.id and i.kind = 'surplus' and i.issued_on = ${getToday()})
     order by o.company_id, o.id`)
  return rows
}

/** Consumers of the operation with an account; their preferences decide whether they are notified. */
const listConsumerUserIds = async (db: Db, { companyId, id }: NotifiedOperation): Promise<string[]> => {
  const { rows } = await db.execute<{ userId: string }>(sql`
    with drawing as (
      select distinct s.participant_id as id from participations s
        join points p on p.company_id = s.company_id and p.id = s.point_id and p.direction = 'consumption'
       where s.company_id = ${companyId} and s.operation_id = ${id}
         and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}))
    select user_id as "userId" from participants
     where company_id = ${companyId} and user_id is not null and id in (select id from drawing)
    union
    select user_id from portal_holders where company_id = ${companyId} and participant_id in (select id from drawing)`)
  return rows.map(({ userId }) => userId)
}

const formatClockTime = (instant: string) => {
  const { minuteOfDay } = localTime(Date.parse(instant) / 60_000)
  const minutes = minuteOfDay % 60
  return `${Math.floor(minuteOfDay / 60)}\u00a0h${minutes ? `\u00a0${String(minutes).padStart(2, '0')}` : ''}`
}
const formatPercent = (part: number) => `${Math.round(part * 100)}\u00a0%`

function buildBestHoursMessage({ from, to, day, hits, operationName }: TomorrowHours) {
  if (!from || !to) return undefined
  const past = hits
    ? `Sur les ${hits.days} derniers jours annoncés, il en restait vraiment ${formatPercent(hits.rate)} du temps.`
    : 'Ces annonces sont trop récentes pour dire combien de fois elles ont été justes.'
  return {
    title: `Demain, lancez vos appareils entre ${formatClockTime(from)} et ${formatClockTime(to)}`,
    message: `Le ${formatFrenchDay(day)}, ${operationName} devrait avoir de l’énergie locale à partager à ces heures. ${past}`,
  }
}

/** The evening before, for those who chose it; nothing is sent when no hour is certain enough. */
export async function notifyBestHours(deps: Deps) {
  for (const operation of await listOperationsToNotify(deps.db)) {
    const hours = await loadTomorrowHours(deps.db, operation)
    const notification = buildBestHoursMessage(hours)
    const to = notification ? await listConsumerUserIds(deps.db, operation) : []
    if (!notification || !to.length) continue
    await notify(deps.db, deps, {
      companyId: operation.companyId,
      to,
      category: 'hours',
      type: 'info',
      priority: 'normal',
      ...notification,
      action: { label: 'Voir mes heures', url: '/client-portal' },
      key: `best-hours ${operation.id} ${hours.day}`,
    })
  }
}
