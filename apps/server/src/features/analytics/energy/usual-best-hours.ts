import { addDays, dayOf, localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import type { EnergyColumns } from './energy-columns.ts'
import { listMembersOfOperations, listParticipationGroupsOfOperations, listReadableMembers } from './member-scope.ts'
import { listOperationIds } from './periods.ts'
import { loadRollupStepColumns } from './step-rollups.ts'

const AVERAGED_DAYS = 14
/** Days searched for fourteen with data. */
const SEARCHED_DAYS = 62
/** Hours with at least this part of the best one belong to the best hours. */
const NEAR_BEST_RATIO = 2 / 3

const NO_BEST_HOURS = { days: 0, from: null, to: null, hours: new Array<number>(24).fill(0), best: null }

/** From the total production of the operations, which identifies nobody: a client may see when there is surplus. */
export async function loadUsualBestHours(db: Db, actor: Actor, query: { operationId?: string | undefined }) {
  const { companyId } = actor
  const members = await listReadableMembers(db, actor, query)
  // A past member has no right to the operation's hours.
  const ids = listOperationIds(
    members.filter(({ endsOn }) => actor.space === 'office' || endsOn === null || endsOn > getToday()),
  )
  const producers = (await listMembersOfOperations(db, companyId, ids)).filter(
    ({ direction, storage }) => direction === 'production' && !storage,
  )
  const last = await loadLastReadingDay(
    db,
    companyId,
    producers.map(({ pointId }) => pointId),
  )
  if (!last) return NO_BEST_HOURS
  const period = { from: addDays(last, 1 - SEARCHED_DAYS), to: addDays(last, 1) }
  const producerGroups = (await listParticipationGroupsOfOperations(db, companyId, listOperationIds(producers))).filter(
    ({ direction }) => direction === 'production',
  )
  const columns = await loadRollupStepColumns(db, companyId, producerGroups, period, 'hour')
  const { rest, heldRest, read, known } = columns.production
  const surplus = computeHourShares(columns, rest, heldRest)
  return surplus ?? computeHourShares(columns, read, known) ?? NO_BEST_HOURS
}

async function loadLastReadingDay(db: Db, companyId: number, pointIds: string[]): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select max(day)::text as day from curve_days
     where company_id = ${companyId} and point_id = any(${sql.param(pointIds)}::uuid[]) and superseded_at is null
       and present > 0 and day < ${getToday()}`)
  return rows[0]?.day ?? null
}

function computeHourShares({ starts }: EnergyColumns, values: Float64Array, counts: Uint32Array) {
  const days = [...new Set(starts.flatMap((start, at) => (counts[at] ? [dayOf(start)] : [])))].slice(-AVERAGED_DAYS)
  const counted = new Set(days)
  const sums = new Array<number>(24).fill(0)
  for (const [at, start] of starts.entries()) {
    if (!counts[at] || !counted.has(dayOf(start))) continue
    const hour = Math.floor(localTime(start).minuteOfDay / 60)
    sums[hour] = (sums[hour] ?? 0) + Math.max(0, values[at] ?? 0)
  }
  const total = sums.reduce((a, b) => a + b, 0)
  if (!total) return undefined
  const hours = sums.map((sum) => sum / total)
  return {
    days: days.length,
    from: days[0] ?? null,
    to: addDays(days.at(-1) ?? '', 1),
    hours,
    best: findHoursNearBest(hours),
  }
}

/** The hours next to the best one that are nearly as good. */
function findHoursNearBest(hours: number[]) {
  const bestShare = Math.max(...hours)
  let fromHour = hours.indexOf(bestShare)
  let toHour = fromHour + 1
  while (fromHour > 0 && (hours[fromHour - 1] ?? 0) >= bestShare * NEAR_BEST_RATIO) fromHour--
  while (toHour < 24 && (hours[toHour] ?? 0) >= bestShare * NEAR_BEST_RATIO) toHour++
  return { fromHour, toHour }
}
