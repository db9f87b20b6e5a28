import type { ReportTemplate } from '@voisol/contract/reports'
import { and, eq, isNull, max, sql } from 'drizzle-orm'
import { loadCompanyLogo } from '../../../core/brand-logo.ts'
import { recordEvent } from '../../../core/events.ts'
import { storeFile } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { reports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { foldText } from '../../../french.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { buildReportPdf } from '../../../papers/report-pdf.ts'
import { formatLongDay } from '../../../papers/words.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { composeReport, type ReportRequest } from './compose.ts'
import { type ReportSubjectRef, toSubjectColumns } from './subject.ts'

/** Null when the preset is used unchanged. */
export const getTemplateId = ({ ref, preset }: ReportTemplate) => (ref === preset ? null : ref)

/** Builds the PDF without storing it. */
export async function previewReport(
  db: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  request: ReportRequest,
) {
  const { content } = await composeReport(db, deps, actor, request)
  const logo = await loadCompanyLogo(db, deps.files, actor.companyId)
  const name = buildDatedFileName(`aperçu ${content.title} ${content.subject.name}`, 'pdf')
  const pdf = await buildReportPdf(content, { words: 'Aperçu', day: getToday(), logo })
  return { name, content: pdf }
}

async function loadLastNumber(
  tx: Db,
  companyId: number,
  template: ReportTemplate,
  subject: ReportSubjectRef,
  period: string,
) {
  const id = getTemplateId(template)
  const columns = toSubjectColumns(subject)
  const [row] = await tx
    .select({ last: max(reports.number) })
    .from(reports)
    .where(
      and(
        eq(reports.companyId, companyId),
        eq(reports.preset, template.preset),
        id === null ? isNull(reports.templateId) : eq(reports.templateId, id),
        columns.operationId === null ? undefined : eq(reports.operationId, columns.operationId),
        columns.participantId === null ? undefined : eq(reports.participantId, columns.participantId),
        columns.sellerId === null ? undefined : eq(reports.sellerId, columns.sellerId),
        eq(reports.period, period),
      ),
    )
  return row?.last ?? 0
}

/** Only letters and digits, because it becomes the name of an attachment and of a file. */
const toFileName = (text: string) => `${foldText(text).replace(/[^a-z0-9]+/g, '-')}.pdf`

/** The name of the job that made the report, for its audit entry. */
type JobAuthor = { job: string; secrets: Secrets }

/** Creates and stores a version of a report with its content; making it again creates another version. */
export async function issueReport(
  tx: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  request: ReportRequest,
  by?: JobAuthor,
) {
  const { companyId } = actor
  const lock = `report ${companyId} ${request.template} ${request.subjectId} ${request.period}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const { template, subject, content, rights } = await composeReport(tx, deps, actor, request)
  const number = (await loadLastNumber(tx, companyId, template, subject, request.period)) + 1
  const day = getToday()
  const logo = await loadCompanyLogo(tx, deps.files, companyId)
  const file = await storeFile(tx, deps.files, companyId, {
    name: toFileName(`${content.title} ${subject.name} ${request.period} v${number}`),
    mediaType: 'application/pdf',
    content: await buildReportPdf(content, { words: `Version ${number}, ${formatLongDay(day)}`, day, logo }),
  })
  const [row] = await tx
    .insert(reports)
    .values({
      companyId,
      preset: template.preset,
      templateId: getTemplateId(template),
      subject: subject.kind,
      ...toSubjectColumns(subject),
      span: content.span,
      period: request.period,
      number,
      content,
      rights,
      fileId: file.id,
      createdBy: formatActorName(actor),
    })
    .returning({ id: reports.id })
  if (!row) throw new AppError('internal')
  const data = { reportId: row.id, subject: subject.kind, subjectId: subject.id, period: request.period, number }
  await recordEvent(tx, { companyId, name: 'report.issued', object: row.id, data, ...(by && { by }) })
  return { id: row.id, content, file }
}
