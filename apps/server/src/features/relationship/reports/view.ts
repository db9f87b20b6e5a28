import type { ListQuery } from '@voisol/contract/list'
import type { ReportSubject } from '@voisol/contract/report-blocks'
import { ReportContent } from '@voisol/contract/report-content'
import type { Report } from '@voisol/contract/reports'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { FileStore } from '../../../adapters/files/files.ts'
import { keyOf } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { matches, pageOf } from '../../../db/list.ts'
import { files, reports } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { reportScope } from './scope.ts'

const joined = (db: Db) =>
  db
    .select({ report: reports, file: files })
    .from(reports)
    .innerJoin(files, and(eq(files.companyId, reports.companyId), eq(files.id, reports.fileId)))
type Row = Awaited<ReturnType<typeof joined>>[number]

const toReport = ({ report, file }: Row): Report => ({
  id: report.id,
  title: report.content.title,
  subject: report.subject,
  subjectName: report.content.subject.name,
  span: report.span,
  period: report.period,
  number: report.number,
  file: { name: file.name, size: file.size, sha256: file.sha256 },
  madeBy: report.createdBy,
  madeAt: report.createdAt.toISOString(),
})

type Query = ListQuery & { subject?: ReportSubject | undefined }
const TITLE = sql`${reports.content} ->> 'title'`
const NAME = sql`${reports.content} #>> '{subject,name}'`

function whereOf(actor: Actor, { q, subject }: Query): SQL | undefined {
  return and(reportScope(actor), subject && eq(reports.subject, subject), matches(q, [TITLE, NAME, reports.period]))
}

/** The latest first. */
export async function listReports(db: Db, actor: Actor, query: Query) {
  const where = whereOf(actor, query)
  const { limit, offset } = pageOf(query)
  const rows = await joined(db)
    .where(where)
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(reports).where(where)
  return { items: rows.map(toReport), total: all?.total ?? 0 }
}

async function findRow(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await joined(db).where(and(reportScope(actor), eq(reports.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function getReport(db: Db, actor: Actor, id: string) {
  const row = await findRow(db, actor, id)
  return { ...toReport(row), content: ReportContent.parse(row.report.content) }
}

/** The very bytes that were kept. */
export async function fileOf(db: Db, store: FileStore, actor: Actor, id: string) {
  const { file } = await findRow(db, actor, id)
  const content = await store.get(keyOf(file))
  if (!content) throw new Error(`file store: ${keyOf(file)} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}
