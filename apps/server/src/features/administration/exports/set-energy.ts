import { and, asc, eq, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { operations } from '../../../db/schema/index.ts'
import { loadMemberSumsByMonth, toWh } from '../../understanding/energy/energy.ts'
import {
  type DataSetQuery,
  type DataSetSource,
  DIRECTION_COLUMN,
  dayColumn,
  decimalColumn,
  integerColumn,
  OPERATION_COLUMN,
  PRM_COLUMN,
  ROWS_PER_BATCH,
  readPages,
  textColumn,
  toColumnTable,
} from './data-set.ts'

const listOperationIds = ({ db, actor, operationId }: DataSetQuery) =>
  db
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        withinOperationLimit(actor, operations.id),
        operationId ? eq(operations.id, operationId) : undefined,
      ),
    )
    .orderBy(asc(operations.id))

const ENERGY_COLUMNS = [
  dayColumn('month', 'Premier jour du mois'),
  OPERATION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  decimalColumn('total_wh', 'Énergie soutirée ou injectée', 'Wh'),
  decimalColumn('local_wh', 'Part partagée dans l’opération', 'Wh'),
  integerColumn('total_watt_minutes', 'La même, exacte\u00a0: 60 watt-minutes font un wattheure', 'W·min'),
  integerColumn('local_watt_minutes', 'De même, de la part partagée', 'W·min'),
]

async function loadMemberMonths(asking: DataSetQuery, operationId: string) {
  const { db, actor, from, to, participantId } = asking
  const memberMonths = await loadMemberSumsByMonth(db, actor.companyId, operationId, { from, to })
  return participantId ? memberMonths.filter(({ member }) => member.participantId === participantId) : memberMonths
}

export const energySource: DataSetSource = {
  about: 'Une ligne par membre et par mois, des répartitions qui font foi.',
  columns: ENERGY_COLUMNS,
  async *read(asking, after) {
    for (const { id } of await listOperationIds(asking)) {
      if (after && id <= after) continue
      const memberMonths = await loadMemberMonths(asking, id)
      if (!memberMonths.length) continue
      const rows = memberMonths.map(({ member, month, sum }) => ({
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
      yield { cursor: id, size: rows.length, data: toColumnTable(ENERGY_COLUMNS, rows) }
    }
  },
  async count(asking) {
    const all = await listOperationIds(asking)
    let sum = 0
    for (const { id } of all) sum += (await loadMemberMonths(asking, id)).length
    return sum
  },
}

const SHARE_DAY_COLUMNS = [
  OPERATION_COLUMN,
  dayColumn('day', 'Jour'),
  PRM_COLUMN,
  DIRECTION_COLUMN,
  textColumn('participant_id', 'Identifiant du participant'),
  integerColumn('total_watt_minutes', 'Énergie soutirée ou injectée sur les pas répartis', 'W·min'),
  integerColumn('local_watt_minutes', 'Part partagée dans l’opération', 'W·min'),
  integerColumn('excluded_steps', 'Pas écartés du calcul'),
  textColumn('run_id', 'Identifiant de la répartition'),
]

const buildShareDaysFrom = (asking: DataSetQuery) => sql`
  from allocation_coverage c
  join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
  join participations m on m.company_id = c.company_id and m.operation_id = c.operation_id and m.point_id = d.point_id
   and m.starts_on <= c.day and (m.ends_on is null or m.ends_on > c.day)
  join points p on p.company_id = d.company_id and p.id = d.point_id
 where ${and(
   sql`c.company_id = ${asking.actor.companyId}`,
   withinOperationLimit(asking.actor, sql`c.operation_id`),
   asking.operationId ? sql`c.operation_id = ${asking.operationId}` : undefined,
   asking.participantId ? sql`m.participant_id = ${asking.participantId}` : undefined,
   sql`c.day >= ${asking.from} and c.day < ${asking.to}`,
 )}`

type ShareDay = Record<
  'operation_id' | 'day' | 'prm' | 'direction' | 'participant_id' | 'run_id' | 'point_id',
  string
> &
  Record<'total_watt_minutes' | 'local_watt_minutes', string | number> & { excluded_steps: number }

export const shareDaySource: DataSetSource = {
  about: 'Une ligne par membre et par jour, de la répartition qui fait foi ce jour-là.',
  columns: SHARE_DAY_COLUMNS,
  read: (asking, from) =>
    readPages(
      SHARE_DAY_COLUMNS,
      from,
      async (after) => {
        const [operationId, on, pointId] = after.split(' ')
        const next = after ? sql`and (c.operation_id, c.day, d.point_id) > (${operationId}, ${on}, ${pointId})` : sql``
        const { rows } = await asking.db.execute<ShareDay>(sql`
          select c.operation_id, c.day::text as day, p.prm, p.direction, m.participant_id, d.point_id,
                 d.total as total_watt_minutes, d.local as local_watt_minutes, d.excluded as excluded_steps, d.run_id
          ${buildShareDaysFrom(asking)} ${next} order by c.operation_id, c.day, d.point_id limit ${ROWS_PER_BATCH}`)
        return rows.map((row) => ({
          ...row,
          total_watt_minutes: Number(row.total_watt_minutes),
          local_watt_minutes: Number(row.local_watt_minutes),
        }))
      },
      ({ operation_id, day: on, point_id }) => [operation_id, on, point_id].join(' '),
    ),
  async count(asking) {
    const { rows } = await asking.db.execute<{ n: number }>(
      sql`select count(*)::int as n ${buildShareDaysFrom(asking)}`,
    )
    return rows[0]?.n ?? 0
  },
}
