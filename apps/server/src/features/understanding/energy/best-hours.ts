import { addDays, dayOf, localTime } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import type { Columns } from './buckets.ts'
import { crewsOf } from './crews.ts'
import { keptSteps } from './kept-steps.ts'
import { operationsOf } from './pieces.ts'
import { membersOfOperations, selectMembers } from './scope.ts'

const DAYS = 14
/** Days looked through for fourteen that are known. */
const BACK = 62
/** Hours that give at least this part of the best one belong with it. */
const NEARLY = 2 / 3

const NONE = { days: 0, from: null, to: null, hours: new Array<number>(24).fill(0), best: null }

/** From the operations' whole production, in which no one is recognised: a client may know when there is too much of it. */
export async function bestHoursOf(db: Db, actor: Actor, query: { operationId?: string | undefined }) {
  const { companyId } = actor
  const members = await selectMembers(db, actor, query)
  // Who has left an operation has no use for its hours, and no right to them.
  const ids = operationsOf(
    members.filter(({ endsOn }) => actor.space === 'office' || endsOn === null || endsOn > today()),
  )
  const producers = (await membersOfOperations(db, companyId, ids)).filter(
    ({ direction, storage }) => direction === 'production' && !storage,
  )
  const last = await lastKnownDay(
    db,
    companyId,
    producers.map(({ pointId }) => pointId),
  )
  if (!last) return NONE
  const period = { from: addDays(last, 1 - BACK), to: addDays(last, 1) }
  const crews = (await crewsOf(db, companyId, operationsOf(producers))).filter(
    ({ direction }) => direction === 'production',
  )
  const columns = await keptSteps(db, companyId, crews, period, 'hour')
  const { rest, heldRest, read, known } = columns.production
  const surplus = share(columns, rest, heldRest)
  return surplus ?? share(columns, read, known) ?? NONE
}

async function lastKnownDay(db: Db, companyId: number, pointIds: string[]): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select max(day)::text as day from curve_days
     where company_id = ${companyId} and point_id = any(${sql.param(pointIds)}::uuid[]) and superseded_at is null
       and present > 0 and day < ${today()}`)
  return rows[0]?.day ?? null
}

function share({ starts }: Columns, values: Float64Array, counts: Uint32Array) {
  const days = [...new Set(starts.flatMap((start, at) => (counts[at] ? [dayOf(start)] : [])))].slice(-DAYS)
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
  return { days: days.length, from: days[0] ?? null, to: addDays(days.at(-1) ?? '', 1), hours, best: around(hours) }
}

/** The hours next to the best one that are nearly as good. */
function around(hours: number[]) {
  const most = Math.max(...hours)
  let fromHour = hours.indexOf(most)
  let toHour = fromHour + 1
  while (fromHour > 0 && (hours[fromHour - 1] ?? 0) >= most * NEARLY) fromHour--
  while (toHour < 24 && (hours[toHour] ?? 0) >= most * NEARLY) toHour++
  return { fromHour, toHour }
}
