import type { ListQuery } from '@voisol/contract/primitives'
import type { ReportSubject } from '@voisol/contract/report-blocks'
import { ReportContent } from '@voisol/contract/report-content'
import type { Report } from '@voisol/contract/reports'
import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import { participantIdsOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import { getFileKey } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { files, reports } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'

/**
 * Reports whose data the user may read, within their operations. In the portal, the user's own yearly reports as
 * participant or producer.
 */
const reportScope = (actor: Actor): SQL | undefined =>
  and(
    eq(reports.companyId, actor.companyId),
    actor.space === 'office'
      ? and(
          sql`${reports.rights} <@ ${sql.param([...actor.permissions])}::text[]`,
          withinOperationLimit(actor, reports.operationId),
        )
      : sql`(
          ${reports.participantId} in ${participantIdsOfUser(actor)}
          or ${reports.sellerId} in (select s.id from sellers s
            where s.company_id = ${actor.companyId} and s.participant_id in ${participantIdsOfUser(actor)}))`,
  )

const selectReports = (db: Db) =>
  db
    .select({ report: reports, file: files })
    .from(reports)
    .innerJoin(files, and(eq(files.companyId, reports.companyId), eq(files.id, reports.fileId)))
type Row = Awaited<ReturnType<typeof selectReports>>[number]

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
const TITLE_SQL = sql`${reports.content} ->> 'title'`
const SUBJECT_NAME_SQL = sql`${reports.content} #>> '{subject,name}'`

function buildReportFilter(actor: Actor, { q, subject }: Query): SQL | undefined {
  return and(
    reportScope(actor),
    subject && eq(reports.subject, subject),
    matchesSearchWords(q, [TITLE_SQL, SUBJECT_NAME_SQL, reports.period]),
  )
}

/** Latest first. */
export async function listReports(db: Db, actor: Actor, query: Query) {
  const where = buildReportFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectReports(db)
    .where(where)
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ total: count() }).from(reports).where(where)
  return { items: rows.map(toReport), total: all?.total ?? 0 }
}

async function loadReportRow(db: Db, actor: Actor, id: string): Promise<Row> {
  const [row] = await selectReports(db).where(and(reportScope(actor), eq(reports.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

export async function loadReport(db: Db, actor: Actor, id: string) {
  const row = await loadReportRow(db, actor, id)
  return { ...toReport(row), content: ReportContent.parse(row.report.content) }
}

/** The stored bytes, unchanged. */
export async function loadReportFile(db: Db, store: FileStore, actor: Actor, id: string) {
  const { file } = await loadReportRow(db, actor, id)
  const content = await store.get(getFileKey(file))
  if (!content) throw new Error(`file store: ${getFileKey(file)} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}
