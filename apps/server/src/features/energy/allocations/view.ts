import type { allocations, Run } from '@voisol/contract/allocations'
import type { Parsed } from '@voisol/contract/endpoint'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { allocationRuns, operations, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { runScope } from './scope.ts'

type Query = Parsed<typeof allocations.list>['query']

const daysInForce = sql<number>`(select count(*)::int from allocation_coverage c
  where c.company_id = ${allocationRuns.companyId} and c.run_id = ${allocationRuns.id})`
const author = sql<string>`coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), 'Voisol')`

const SORTS = {
  createdAt: allocationRuns.createdAt,
  from: allocationRuns.startsOn,
  to: allocationRuns.endsOn,
  kind: allocationRuns.kind,
  status: allocationRuns.status,
  createdBy: author,
}

/** What each member's figures rest on is long, and asked for by itself. */
const { completeness: _, ...columns } = getTableColumns(allocationRuns)

const read = (db: Db, where: SQL | undefined) =>
  db
    .select({ run: columns, daysInForce, createdBy: author })
    .from(allocationRuns)
    .leftJoin(users, eq(users.id, allocationRuns.createdBy))
    .where(where)

type Row = Awaited<ReturnType<typeof read>>[number]

const iso = (at: Date | null) => at?.toISOString() ?? null

export function toRun({ run, ...more }: Row): Run {
  const done = run.status === 'done'
  return {
    ...more,
    id: run.id,
    operationId: run.operationId,
    from: run.startsOn,
    to: run.endsOn,
    kind: run.kind as Run['kind'], // the column holds only what the contract names
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
    signOff: run.signOff as Run['signOff'], // written by whoever started it, in this shape
    staleAt: iso(run.staleAt),
    staleReason: run.staleReason,
    createdAt: run.createdAt.toISOString(),
    finishedAt: iso(run.finishedAt),
  }
}

export async function listRuns(db: Db, actor: Actor, operationId: string, query: Query) {
  const mine = and(operationScope(actor), eq(operations.id, operationId))
  if (!(await db.select({ id: operations.id }).from(operations).where(mine)).length) throw new AppError('not-found')
  const where = and(
    runScope(actor),
    eq(allocationRuns.operationId, operationId),
    query.kind && eq(allocationRuns.kind, query.kind),
    matches(query.q, [author, sql`to_char(${allocationRuns.startsOn}, 'DD/MM/YYYY')`, allocationRuns.message]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await read(db, where)
    .orderBy(orderBy(query.sort, SORTS, '-createdAt'), desc(allocationRuns.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(allocationRuns)
    .leftJoin(users, eq(users.id, allocationRuns.createdBy))
    .where(where)
  return { items: rows.map(toRun), total: all?.n ?? 0 }
}

export async function getRun(db: Db, actor: Actor, id: string): Promise<Run> {
  const [row] = await read(db, and(runScope(actor), eq(allocationRuns.id, id)))
  if (!row) throw new AppError('not-found')
  return toRun(row)
}
