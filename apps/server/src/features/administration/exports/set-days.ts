import { addDays, dayStart } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import { intsOf } from '../../../core/packed.ts'
import { points } from '../../../db/schema/index.ts'
import { eachDay } from '../../energy/curves/curves.ts'
import { type Asking, type Batch, DIRECTION, instant, OPERATION, PRM, type Source, short, text } from './data-set.ts'
import { covers, type Group, heldPoints, type Part, partsAfter } from './day-plan.ts'
import { type Day, packed } from './pack-days.ts'

/** The whole company where nothing narrows it; otherwise who holds a point, on their days. */
async function readablePoints(asking: Asking): Promise<Group[]> {
  const { db, actor, operationId, participantId } = asking
  if (actor.operationIds || operationId || participantId) {
    const held = (await heldPoints(asking)).flatMap((group) => group.points)
    const byId = Map.groupBy(held, ({ id }) => id)
    const merged = [...byId.values()].flatMap(([first, ...more]) =>
      first ? [{ ...first, spans: [first, ...more].flatMap(({ spans }) => spans) }] : [],
    )
    return [{ key: '', points: merged.sort((a, b) => (a.id < b.id ? -1 : 1)) }]
  }
  const all = await db
    .select({ id: points.id, prm: points.prm, direction: points.direction })
    .from(points)
    .where(eq(points.companyId, actor.companyId))
    .orderBy(asc(points.id))
  return [{ key: '', points: all.map((point) => ({ ...point, spans: [{ from: '', to: null }] })) }]
}

async function readingsOf({ db, actor }: Asking, { points: some, from, to }: Part): Promise<Day[]> {
  const lines = new Map(some.map(({ id }, line) => [id, line]))
  const days: Day[] = []
  const pointIds = some.map(({ id }) => id)
  await eachDay(
    db,
    { companyId: actor.companyId, pointIds, from, to },
    ({ pointId, day, step, watts, marks, quality }) => {
      const line = lines.get(pointId) ?? 0
      const held = some[line]
      // Lent for this visit alone: what stays is copied.
      if (held && covers(held, day)) days.push({ line, day, step, values: watts.slice(), marks, quality })
    },
  )
  return days
}

const textsOf = ({ key, points: some }: Part, withKey: boolean) => [
  ...(withKey ? [some.map(() => key)] : []),
  some.map(({ prm }) => prm),
  some.map(({ direction }) => direction),
]

async function* read(
  groups: Group[],
  asking: Asking,
  after: string,
  daysOf: (asking: Asking, part: Part) => Promise<Day[]>,
  of: { operation: boolean; marked: boolean },
): AsyncGenerator<Batch> {
  for (const part of partsAfter(groups, asking, after)) {
    const days = await daysOf(asking, part)
    if (!days.length) continue
    const data = packed(days, textsOf(part, of.operation), of.marked)
    yield { cursor: part.cursor, size: data.values.length, data }
  }
}

const AT = instant('at', 'Début du pas', 'UTC')
const STEP = short('step_minutes', 'Durée du pas', 'min')

export const readingSource: Source = {
  about: 'Une ligne par point et par pas. Un pas que le compteur n’a pas dit reste vide\u00a0: ce n’est pas un zéro.',
  columns: [
    PRM,
    DIRECTION,
    AT,
    STEP,
    short('watts', 'Puissance moyenne sur le pas, vide où elle manque', 'W'),
    text('quality', 'raw, corrected, estimated, doubtful ou missing'),
  ],
  async *read(asking, after) {
    yield* read(await readablePoints(asking), asking, after, readingsOf, { operation: false, marked: true })
  },
  async count(asking) {
    const ids = (await readablePoints(asking)).flatMap((group) => group.points.map(({ id }) => id))
    const { rows } = await asking.db.execute<{ n: string | null }>(sql`
      select sum(expected) as n from curve_months where company_id = ${asking.actor.companyId}
         and month >= ${`${asking.from.slice(0, 7)}-01`} and month < ${asking.to}
         and point_id = any(${sql.param(ids)}::uuid[])`)
    return Number(rows[0]?.n ?? 0)
  },
}

async function sharesOf({ db, actor }: Asking, { key, points: some, from, to }: Part): Promise<Day[]> {
  const lines = new Map(some.map(({ id }, line) => [id, line]))
  const ids = sql.param([...lines.keys()])
  const { rows } = await db.execute<{ pointId: string; day: string; allocated: Buffer }>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated
      from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${actor.companyId} and c.operation_id = ${key} and c.day >= ${from} and c.day < ${to}
       and d.point_id = any(${ids}::uuid[])`)
  return rows.flatMap(({ pointId, day, allocated }) => {
    const line = lines.get(pointId) ?? 0
    const held = some[line]
    if (!held || !covers(held, day)) return []
    const values = intsOf(allocated)
    const step = (dayStart(addDays(day, 1)) - dayStart(day)) / values.length
    return [{ line, day, step, values, marks: null, quality: 0 }]
  })
}

/** As many days of members as the runs that stand hold, at the step of their operation. */
const SHARE_COUNT = (asking: Asking, ids: string[]) => sql`
  select sum(octet_length(d.allocated) / 4) as n
    from allocation_coverage c
    join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
   where ${and(
     sql`c.company_id = ${asking.actor.companyId}`,
     sql`c.operation_id = any(${sql.param(ids)}::uuid[])`,
     sql`c.day >= ${asking.from} and c.day < ${asking.to}`,
   )}`

export const shareSource: Source = {
  about: 'Une ligne par point et par pas, de la répartition qui fait foi. Un pas écarté du calcul reste vide.',
  columns: [
    OPERATION,
    PRM,
    DIRECTION,
    AT,
    STEP,
    short('local_watt_minutes', 'Énergie partagée dans le pas\u00a0: 60 watt-minutes font un wattheure', 'W·min'),
  ],
  async *read(asking, after) {
    yield* read(await heldPoints(asking), asking, after, sharesOf, { operation: true, marked: false })
  },
  async count(asking) {
    const ids = (await heldPoints(asking)).map(({ key }) => key)
    const { rows } = await asking.db.execute<{ n: string | null }>(SHARE_COUNT(asking, ids))
    return Number(rows[0]?.n ?? 0)
  },
}
