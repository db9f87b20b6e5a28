import { dayStart } from '@voisol/energy/calendar'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { intsOf } from '../../../core/packed.ts'
import { issuedForecasts, points } from '../../../db/schema/index.ts'
import {
  type Asking,
  day,
  instant,
  OPERATION,
  type Row,
  type Source,
  short,
  tableOf,
  text,
  within,
} from './data-set.ts'

const COLUMNS = [
  OPERATION,
  text('prm', 'Numéro de la centrale\u00a0; vide pour l’opération entière'),
  text('kind', 'production, consumption ou surplus'),
  day('issued_on', 'Jour de l’émission'),
  instant('issued_at', 'Moment de l’émission', 'UTC'),
  text('rebuilt', 'true\u00a0: dite plus tard, avec ce qui était connu ce jour-là'),
  instant('at', 'Début de l’heure prévue', 'UTC'),
  short('step_minutes', 'Durée du pas', 'min'),
  short('low_watts', 'Borne basse de la bande de 80\u00a0%, vide où elle n’est pas dite', 'W'),
  short('median_watts', 'Médiane', 'W'),
  short('high_watts', 'Borne haute', 'W'),
  short('persistence_watts', 'Ce que disait le dernier jour connu', 'W'),
  text('source', 'weather\u00a0: avec la météo annoncée\u00a0; history\u00a0: sans elle'),
]

/** Each is a week of hours. */
const TOGETHER = 25
const LEVELS = { low_watts: 0.1, median_watts: 0.5, high_watts: 0.9 }

const asked = (asking: Asking) =>
  and(
    eq(issuedForecasts.companyId, asking.actor.companyId),
    withinLimit(asking.actor, issuedForecasts.operationId),
    asking.operationId ? eq(issuedForecasts.operationId, asking.operationId) : undefined,
    within(issuedForecasts.issuedOn, asking),
    // What is said step by step is the same hours, cut.
    eq(issuedForecasts.span, 'week'),
  )

const orNull = (watts: number | undefined) => (watts === undefined || watts < 0 ? null : watts)

function rowsOf(said: typeof issuedForecasts.$inferSelect, prm: string | null): Row[] {
  const { levels, steps, step, issuedOn } = said
  const [values, persistence] = [intsOf(said.values), intsOf(said.persistence)]
  const level = (name: keyof typeof LEVELS, at: number) => {
    const order = levels.indexOf(LEVELS[name])
    return order < 0 ? null : orNull(values[order * steps + at])
  }
  return Array.from({ length: steps }, (_, at) => ({
    operation_id: said.operationId,
    prm,
    kind: said.kind,
    issued_on: issuedOn,
    issued_at: said.issuedAt,
    rebuilt: String(said.rebuilt),
    at: new Date((dayStart(issuedOn) + at * step) * 60_000),
    step_minutes: step,
    low_watts: level('low_watts', at),
    median_watts: level('median_watts', at),
    high_watts: level('high_watts', at),
    persistence_watts: orNull(persistence[at]),
    source: said.source[at] === 1 ? 'weather' : 'history',
  }))
}

async function readSome(asking: Asking, after: string) {
  const [on, id] = after.split(' ')
  return asking.db
    .select({ said: issuedForecasts, prm: points.prm })
    .from(issuedForecasts)
    .leftJoin(points, and(eq(points.companyId, issuedForecasts.companyId), eq(points.id, issuedForecasts.subjectId)))
    .where(
      and(
        asked(asking),
        after ? sql`(${issuedForecasts.issuedOn}, ${issuedForecasts.id}) > (${on}::date, ${id}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(issuedForecasts.issuedOn), asc(issuedForecasts.id))
    .limit(TOGETHER)
}

export const forecastSource: Source = {
  about: 'Une ligne par prévision et par heure, telle qu’elle fut émise\u00a0: rien n’en est recalculé.',
  columns: COLUMNS,
  async *read(asking, from) {
    for (let cursor = from; ; ) {
      const found = await readSome(asking, cursor)
      const last = found.at(-1)?.said
      if (!last) return
      cursor = `${last.issuedOn} ${last.id}`
      const rows = found.flatMap(({ said, prm }) => rowsOf(said, prm))
      yield { cursor, size: rows.length, data: tableOf(COLUMNS, rows) }
    }
  },
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(issuedForecasts).where(asked(asking))
    return (sum?.n ?? 0) * 168
  },
}
