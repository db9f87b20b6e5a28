import type { CurveImport } from '@voisol/contract/curves'
import type { ListQuery } from '@voisol/contract/primitives'
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { curveImports, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

type ListImportsQuery = ListQuery & { status?: CurveImport['status'] | undefined }
export type ImportRow = typeof curveImports.$inferSelect

const createdByNameSql = sql<string>`coalesce(nullif(trim(concat_ws(' ', ${users.firstName}, ${users.lastName})), ''), ${users.email}, '')`
const IMPORT_SORTS = {
  createdAt: curveImports.createdAt,
  name: sql`fold(${curveImports.name})`,
  status: curveImports.status,
}
const importScope = (actor: Actor): SQL => eq(curveImports.companyId, actor.companyId)

const selectImports = (db: Db, where: SQL | undefined) =>
  db
    .select({ row: curveImports, createdBy: createdByNameSql })
    .from(curveImports)
    .leftJoin(users, eq(users.id, curveImports.createdBy))
    .where(where)

/** JSON columns store what the jobs wrote, in the contract's shape. */
type ImportJsonFields = Pick<
  CurveImport,
  'status' | 'choices' | 'detected' | 'asked' | 'series' | 'problems' | 'counts'
>

function toCurveImport({ row, createdBy: name }: { row: ImportRow; createdBy: string }): CurveImport {
  const { status, choices, detected, asked, series, problems, counts } = row as ImportJsonFields // see above
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

export async function listCurveImports(db: Db, actor: Actor, query: ListImportsQuery) {
  const where = and(
    importScope(actor),
    query.status && eq(curveImports.status, query.status),
    matchesSearchWords(query.q, [curveImports.name]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectImports(db, where)
    .orderBy(buildOrderBy(query.sort, IMPORT_SORTS, '-createdAt'), asc(curveImports.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(curveImports).where(where)
  return { items: rows.map(toCurveImport), total: all?.n ?? 0 }
}

export async function loadCurveImport(db: Db, actor: Actor, id: string): Promise<CurveImport> {
  const [row] = await selectImports(db, and(importScope(actor), eq(curveImports.id, id)))
  if (!row) throw new AppError('not-found')
  return toCurveImport(row)
}

export async function lockCurveImport(tx: Db, actor: Actor, id: string): Promise<ImportRow> {
  const [row] = await tx
    .select()
    .from(curveImports)
    .where(and(importScope(actor), eq(curveImports.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const searchText = searchTextColumn(curveImports)

/** Uploaded files of readings; users who may import see them all. */
export const searchCurveImports: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: curveImports.id, name: curveImports.name, text: searchText })
    .from(curveImports)
    .where(and(eq(curveImports.companyId, actor.companyId), look.holds(searchText)))
    .orderBy(look.rank(searchText), desc(curveImports.createdAt), curveImports.id)
    .limit(look.most)
  return rows.map(({ id, name, text: words }) => ({
    kind: 'file',
    id,
    title: name,
    detail: 'Import de courbes',
    to: `/enedis-data?onglet=imports&import=${id}`,
    text: words,
  }))
}
