import type { CurveImport } from '@voisol/contract/curves'
import type { ListQuery } from '@voisol/contract/list'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { curveImports, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type Query = ListQuery & { status?: CurveImport['status'] | undefined }
export type ImportRow = typeof curveImports.$inferSelect

const createdBy = sql<string>`coalesce(nullif(trim(concat_ws(' ', ${users.firstName}, ${users.lastName})), ''), ${users.email}, '')`
const SORTS = { createdAt: curveImports.createdAt, name: sql`fold(${curveImports.name})`, status: curveImports.status }
const importScope = (actor: Actor): SQL => eq(curveImports.companyId, actor.companyId)

const read = (db: Db, where: SQL | undefined) =>
  db
    .select({ row: curveImports, createdBy })
    .from(curveImports)
    .leftJoin(users, eq(users.id, curveImports.createdBy))
    .where(where)

/** Open columns hold what the jobs wrote, in the shape of the contract. */
type Written = Pick<CurveImport, 'status' | 'choices' | 'detected' | 'asked' | 'series' | 'problems' | 'counts'>

function toImport({ row, createdBy: name }: { row: ImportRow; createdBy: string }): CurveImport {
  const { status, choices, detected, asked, series, problems, counts } = row as Written // see above
  return {
    id: row.id,
    name: row.name,
    status,
    choices,
    detected,
    asked,
    series,
    problems,
    counts,
    message: row.message,
    progress: row.progress,
    createdBy: name,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

export async function listImports(db: Db, actor: Actor, query: Query) {
  const where = and(
    importScope(actor),
    query.status && eq(curveImports.status, query.status),
    matches(query.q, [curveImports.name]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await read(db, where)
    .orderBy(orderBy(query.sort, SORTS, '-createdAt'), asc(curveImports.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(curveImports).where(where)
  return { items: rows.map(toImport), total: all?.n ?? 0 }
}

export async function getImport(db: Db, actor: Actor, id: string): Promise<CurveImport> {
  const [row] = await read(db, and(importScope(actor), eq(curveImports.id, id)))
  if (!row) throw new AppError('not-found')
  return toImport(row)
}

export async function lockImport(tx: Db, actor: Actor, id: string): Promise<ImportRow> {
  const [row] = await tx
    .select()
    .from(curveImports)
    .where(and(importScope(actor), eq(curveImports.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}
