import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './columns.ts'
import type { MemberRunPeriod } from './pieces.ts'

/** The months of an operation's runs, and the points that need all of them, each for one group. */
export type WholeRunGroup = { runs: MemberRunPeriod[]; groups: Map<string, number> }

/** For fewer points, individual queries are used. */
const MIN_GROUPED_POINTS = 50

const getRunMonthsKey = ({ runId, lo, hi }: MemberRunPeriod) => `${runId} ${lo} ${hi}`

/**
 * Members present throughout need the same months of the same runs: these are read run by run and not point by point.
 * Members that need fewer months, or are in two groups, are returned in `others`.
 */
export function splitWholeRuns(pieces: MemberRunPeriod[]): { whole: WholeRunGroup[]; others: MemberRunPeriod[] } {
  const whole: WholeRunGroup[] = []
  const others: MemberRunPeriod[] = []
  for (const own of Map.groupBy(pieces, ({ operationId }) => operationId).values()) {
    const runs = [...new Map(own.map((piece) => [getRunMonthsKey(piece), piece])).values()]
    const groups = new Map<string, number>()
    const rest: MemberRunPeriod[] = []
    for (const [pointId, wanted] of Map.groupBy(own, (piece) => piece.pointId)) {
      const group = wanted[0]?.group ?? 0
      if (wanted.length === runs.length && wanted.every((piece) => piece.group === group)) groups.set(pointId, group)
      else rest.push(...wanted)
    }
    if (groups.size < MIN_GROUPED_POINTS) others.push(...own)
    else {
      whole.push({ runs, groups })
      others.push(...rest)
    }
  }
  return { whole, others }
}

type WholeRunRow = { nth: number; pointId: string; total: number; local: number }

export async function loadWholeRunSums(db: Db, companyId: number, whole: WholeRunGroup[]) {
  if (!whole.length) return []
  const runs = whole.flatMap((own, nth) => own.runs.map((run) => ({ ...run, nth })))
  const { rows } = await db.execute<WholeRunRow>(sql`
    select m.nth, a.point_id as "pointId", sum(a.total)::float8 as total, sum(a.local)::float8 as local
      from unnest(${toSqlArray(runs.map(({ nth }) => nth))}::int[], ${toSqlArray(runs.map(({ runId }) => runId))}::uuid[],
                  ${toSqlArray(runs.map(({ lo }) => lo))}::date[], ${toSqlArray(runs.map(({ hi }) => hi))}::date[]) m(nth, run_id, lo, hi)
     cross join lateral (
       select point_id, sum(total) as total, sum(local) as local from allocation_totals
        where company_id = ${companyId} and run_id = m.run_id and month >= m.lo and month < m.hi
        group by point_id offset 0) a
     group by 1, 2`)
  return rows.flatMap(({ nth, pointId, total, local }) => {
    const group = whole[nth]?.groups.get(pointId)
    return group === undefined ? [] : [{ group, bucket: '', total, local, excluded: 0, steps: 0, given: 0 }]
  })
}
