import type { allocations, Run } from '@voisol/contract/allocations'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { operationScope, withinOperationLimit } from '../../../core/access-scopes.ts'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { allocationRuns, operations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** The runs of the actor's company, within the operations they are limited to. */
const allocationRunScope = (actor: Actor) =>
  and(eq(allocationRuns.companyId, actor.companyId), withinOperationLimit(actor, allocationRuns.operationId))

type ListRunsQuery = ParsedInput<typeof allocations.list>['query']

const daysInForceSql = sql<number>`(select count(*)::int from allocation_coverage c
  where c.company_id = ${allocationRuns.companyId} and c.run_id = ${allocationRuns.id})`
const authorNameSql = sql<string>`coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), 'Voisol')`

const RUN_SORTS = {
  createdAt: allocationRuns.createdAt,
  from: allocationRuns.startsOn,
  to: allocationRuns.endsOn,
  kind: allocationRuns.kind,
  status: allocationRuns.status,
  createdBy: authorNameSql,
}

/** The data quality by member is large, so it has its own route. */
const { completeness: _, ...runColumns } = getTableColumns(allocationRuns)

const selectRuns = (db: Db, where: SQL | undefined) =>
  db
    .select({ run: runColumns, daysInForce: daysInForceSql, createdBy: authorNameSql })
    .from(allocationRuns)
    .leftJoin(users, eq(users.id, allocationRuns.createdBy))
    .where(where)

type RunListRow = Awaited<ReturnType<typeof selectRuns>>[number]

const toIso = (at: Date | null) => at?.toISOString() ?? null

function toAllocationRun({ run, ...more }: RunListRow): Run {
  const done = run.status === 'done'
  return {
    ...more,
    id: run.id,
    operationId: run.operationId,
    from: run.startsOn,
    to: run.endsOn,
    kind: run.kind as Run['kind'], // the column only stores what the contract names
    status: run.status as Run['status'], // as above
    estimated: run.estimated,
    estimateBy: run.estimateBy as Run['estimateBy'], // as above
    progress: run.progress,
    message: run.message,
    inputHash: run.inputHash,
    resultHash: run.resultHash,
    engineVersion: run.engineVersion,
    keys: run.keyIds as Run['keys'], // written by the run in this shape
    counts: done ? (run.counts as Run['counts']) : null, // as above
    totals: done ? (run.totals as Run['totals']) : null, // as above
    signOff: run.signOff as Run['signOff'], // written by `buildSignOff` in this shape
    staleAt: toIso(run.staleAt),
    staleReason: run.staleReason,
    createdAt: run.createdAt.toISOString(),
    finishedAt: toIso(run.finishedAt),
  }
}

export async function listAllocationRuns(db: Db, actor: Actor, operationId: string, query: ListRunsQuery) {
  const isThisOperation = and(operationScope(actor), eq(operations.id, operationId))
  if (!(await db.select({ id: operations.id }).from(operations).where(isThisOperation)).length)
    throw new AppError('not-found')
  const where = and(
    allocationRunScope(actor),
    eq(allocationRuns.operationId, operationId),
    query.kind && eq(allocationRuns.kind, query.kind),
    matchesSearchWords(query.q, [
      authorNameSql,
      sql`to_char(${allocationRuns.startsOn}, 'DD/MM/YYYY')`,
      allocationRuns.message,
    ]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectRuns(db, where)
    .orderBy(buildOrderBy(query.sort, RUN_SORTS, '-createdAt'), desc(allocationRuns.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(allocationRuns)
    .leftJoin(users, eq(users.id, allocationRuns.createdBy))
    .where(where)
  return { items: rows.map(toAllocationRun), total: all?.n ?? 0 }
}

export async function loadAllocationRun(db: Db, actor: Actor, id: string): Promise<Run> {
  const [row] = await selectRuns(db, and(allocationRunScope(actor), eq(allocationRuns.id, id)))
  if (!row) throw new AppError('not-found')
  return toAllocationRun(row)
}

type DifferenceRow = {
  pointId: string
  label: string
  direction: 'consumption' | 'production'
  storage: boolean
  before: string
  after: string
}

/** The previous run: among earlier ones, the one that shares most days, definitive ones first. */
async function findPreviousRunId(db: Db, actor: Actor, run: Run): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from allocation_runs
     where company_id = ${actor.companyId} and operation_id = ${run.operationId} and status = 'done'
       and id <> ${run.id} and created_at < ${run.createdAt}
       and starts_on < ${run.to} and ends_on > ${run.from}
     order by least(ends_on, ${run.to}::date) - greatest(starts_on, ${run.from}::date) desc,
              (kind = 'definitive') desc, created_at desc, id
     limit 1`)
  return rows[0]?.id
}

/** Compares the runs point by point, over the days both cover. */
export async function compareWithPreviousRun(db: Db, actor: Actor, id: string) {
  const run = await loadAllocationRun(db, actor, id)
  const before = run.status === 'done' ? await findPreviousRunId(db, actor, run) : undefined
  if (!before) return { previous: null, items: [] }
  const previous = await loadAllocationRun(db, actor, before)
  const from = previous.from > run.from ? previous.from : run.from
  const to = previous.to < run.to ? previous.to : run.to
  const pointName = pointNameOnDaySql(actor.companyId, sql`p`, sql`${to}::date`, sql`${run.operationId}`)
  const { rows } = await db.execute<DifferenceRow>(sql`
    with sums as (
      select point_id, coalesce(sum(local) filter (where run_id = ${before}), 0) as before,
             coalesce(sum(local) filter (where run_id = ${id}), 0) as after
        from allocation_days
       where company_id = ${actor.companyId} and run_id in (${before}, ${id}) and day >= ${from} and day < ${to}
       group by 1)
    select p.id as "pointId", coalesce(nullif(${pointName}, ''), p.prm) as label, p.direction, p.storage, s.before, s.after
      from sums s join points p on p.company_id = ${actor.companyId} and p.id = s.point_id
     order by abs(s.after - s.before) desc, 2`)
  return {
    previous,
    items: rows.map(({ storage, ...row }) => ({
      ...row,
      ...(storage && { storage }),
      before: Number(row.before),
      after: Number(row.after),
    })),
  }
}
