import type { allocations, Run } from '@voisol/contract/allocations'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { allocationRuns, operations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { allocationRunScope } from './scope.ts'

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

export function toAllocationRun({ run, ...more }: RunListRow): Run {
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
