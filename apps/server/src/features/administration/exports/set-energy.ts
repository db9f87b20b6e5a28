import { and, asc, eq, sql } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { operations } from '../../../db/schema/index.ts'
import { seatsByMonth, toWh } from '../../understanding/energy/energy.ts'
import {
  type Asking,
  BATCH,
  DIRECTION,
  day,
  decimal,
  integer,
  OPERATION,
  PRM,
  paged,
  type Source,
  tableOf,
  text,
} from './data-set.ts'

const operationsOf = ({ db, actor, operationId }: Asking) =>
  db
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        withinLimit(actor, operations.id),
        operationId ? eq(operations.id, operationId) : undefined,
      ),
    )
    .orderBy(asc(operations.id))

const ENERGIES = [
  day('month', 'Premier jour du mois'),
  OPERATION,
  text('participant_id', 'Identifiant du participant'),
  PRM,
  DIRECTION,
  decimal('total_wh', 'Énergie soutirée ou injectée', 'Wh'),
  decimal('local_wh', 'Part partagée dans l’opération', 'Wh'),
  integer('total_watt_minutes', 'La même, exacte\u00a0: 60 watt-minutes font un wattheure', 'W·min'),
  integer('local_watt_minutes', 'De même, de la part partagée', 'W·min'),
]

async function seatsOf(asking: Asking, operationId: string) {
  const { db, actor, from, to, participantId } = asking
  const seats = await seatsByMonth(db, actor.companyId, operationId, { from, to })
  return participantId ? seats.filter(({ member }) => member.participantId === participantId) : seats
}

export const energySource: Source = {
  about: 'Une ligne par membre et par mois, des répartitions qui font foi.',
  columns: ENERGIES,
  async *read(asking, after) {
    for (const { id } of await operationsOf(asking)) {
      if (after && id <= after) continue
      const seats = await seatsOf(asking, id)
      if (!seats.length) continue
      const rows = seats.map(({ member, month, sum }) => ({
        month,
        operation_id: member.operationId,
        participant_id: member.participantId,
        prm: member.prm,
        direction: member.direction,
        total_wh: toWh(sum.total),
        local_wh: toWh(sum.local),
        total_watt_minutes: sum.total,
        local_watt_minutes: sum.local,
      }))
      yield { cursor: id, size: rows.length, data: tableOf(ENERGIES, rows) }
    }
  },
  async count(asking) {
    const all = await operationsOf(asking)
    let sum = 0
    for (const { id } of all) sum += (await seatsOf(asking, id)).length
    return sum
  },
}

const SHARE_DAYS = [
  OPERATION,
  day('day', 'Jour'),
  PRM,
  DIRECTION,
  text('participant_id', 'Identifiant du participant'),
  integer('total_watt_minutes', 'Énergie soutirée ou injectée sur les pas répartis', 'W·min'),
  integer('local_watt_minutes', 'Part partagée dans l’opération', 'W·min'),
  integer('excluded_steps', 'Pas écartés du calcul'),
  text('run_id', 'Identifiant de la répartition'),
]

const sharesFrom = (asking: Asking) => sql`
  from allocation_coverage c
  join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
  join participations m on m.company_id = c.company_id and m.operation_id = c.operation_id and m.point_id = d.point_id
   and m.starts_on <= c.day and (m.ends_on is null or m.ends_on > c.day)
  join points p on p.company_id = d.company_id and p.id = d.point_id
 where ${and(
   sql`c.company_id = ${asking.actor.companyId}`,
   withinLimit(asking.actor, sql`c.operation_id`),
   asking.operationId ? sql`c.operation_id = ${asking.operationId}` : undefined,
   asking.participantId ? sql`m.participant_id = ${asking.participantId}` : undefined,
   sql`c.day >= ${asking.from} and c.day < ${asking.to}`,
 )}`

type ShareDay = Record<
  'operation_id' | 'day' | 'prm' | 'direction' | 'participant_id' | 'run_id' | 'point_id',
  string
> &
  Record<'total_watt_minutes' | 'local_watt_minutes', string | number> & { excluded_steps: number }

export const shareDaySource: Source = {
  about: 'Une ligne par membre et par jour, de la répartition qui fait foi ce jour-là.',
  columns: SHARE_DAYS,
  read: (asking, from) =>
    paged(
      SHARE_DAYS,
      from,
      async (after) => {
        const [operationId, on, pointId] = after.split(' ')
        const next = after ? sql`and (c.operation_id, c.day, d.point_id) > (${operationId}, ${on}, ${pointId})` : sql``
        const { rows } = await asking.db.execute<ShareDay>(sql`
          select c.operation_id, c.day::text as day, p.prm, p.direction, m.participant_id, d.point_id,
                 d.total as total_watt_minutes, d.local as local_watt_minutes, d.excluded as excluded_steps, d.run_id
          ${sharesFrom(asking)} ${next} order by c.operation_id, c.day, d.point_id limit ${BATCH}`)
        return rows.map((row) => ({
          ...row,
          total_watt_minutes: Number(row.total_watt_minutes),
          local_watt_minutes: Number(row.local_watt_minutes),
        }))
      },
      ({ operation_id, day: on, point_id }) => [operation_id, on, point_id].join(' '),
    ),
  async count(asking) {
    const { rows } = await asking.db.execute<{ n: number }>(sql`select count(*)::int as n ${sharesFrom(asking)}`)
    return rows[0]?.n ?? 0
  },
}
