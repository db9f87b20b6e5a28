import { createHash } from 'node:crypto'
import { REGULATORY_LABELS, type RegulatoryKind } from '@voisol/contract/regulatory'
import { and, desc, eq, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { loadBrand } from '../../../core/brand.ts'
import { recordEvent } from '../../../core/events.ts'
import { storeFile } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { regulatoryExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { writeCsv } from '../../../files/csv.ts'
import { createZipStream } from '../../../files/zip.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { formatLongDay } from '../../../papers/number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from '../../../pdf/blocks.ts'
import { closePdf, openPdf } from '../../../pdf/document.ts'
import type { Brand } from '../../../pdf/frame.ts'
import { drawTable } from '../../../pdf/table.ts'
import { getToday } from '../../../today.ts'
import { buildConsumersAnnex, buildProducersAnnex } from './agreement-annexes.ts'
import { buildCoefficientFiles } from './coefficient-files.ts'
import { buildConsentsPack } from './consents-pack.ts'
import {
  type ExportBuilder,
  type ExportContent,
  type ExportRequest,
  formatExportPeriod,
  requireExportPeriod,
} from './export-content.ts'
import { buildMovementsNotice } from './participation-movements.ts'
import { buildYearlyReport } from './yearly-report.ts'

export const EXPORT_BUILDERS: Record<RegulatoryKind, ExportBuilder> = {
  consumers: buildConsumersAnnex,
  producers: buildProducersAnnex,
  movements: buildMovementsNotice,
  coefficients: buildCoefficientFiles,
  consents: buildConsentsPack,
  yearly: buildYearlyReport,
}
const EXPORT_FILE_NAMES: Record<RegulatoryKind, string> = {
  consumers: 'liste-consommateurs',
  producers: 'liste-producteurs',
  movements: 'avis-mouvements',
  coefficients: 'coefficients',
  consents: 'consentements',
  yearly: 'bilan-annuel',
}

export const hashExportContent = ({ header, rows, files = [] }: ExportContent) => {
  const hash = createHash('sha256').update(JSON.stringify([header, rows]))
  for (const { name, content } of files) hash.update(name).update(content)
  return hash.digest('hex')
}

async function zipFiles(files: NonNullable<ExportContent['files']>, on: string): Promise<Uint8Array> {
  async function* entries() {
    for (const file of files) yield { ...file, on }
  }
  const parts: Uint8Array[] = []
  for await (const part of createZipStream(entries())) parts.push(part)
  return Buffer.concat(parts)
}

const isVersionOfExport = ({ kind, operation, period }: ExportRequest, companyId: number) =>
  and(
    eq(regulatoryExports.companyId, companyId),
    eq(regulatoryExports.operationId, operation.id),
    eq(regulatoryExports.kind, kind),
    eq(regulatoryExports.period, period),
  )

/** The last version of a requested export. */
export const findLastExport = async (db: Db, companyId: number, request: ExportRequest) =>
  (
    await db
      .select()
      .from(regulatoryExports)
      .where(isVersionOfExport(request, companyId))
      .orderBy(desc(regulatoryExports.number))
      .limit(1)
  )[0]

type CreateExportInput = { operationId: string; kind: RegulatoryKind; period: string }

/** Creates a version of an export, or returns the last one if nothing changed. */
export async function createRegulatoryExport(
  tx: Db,
  deps: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  input: CreateExportInput,
) {
  requireExportPeriod(input.kind, input.period)
  const operation = await requireVisibleOperation(tx, actor, input.operationId)
  const request: ExportRequest = { kind: input.kind, operation, period: input.period }
  const { companyId } = actor
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`regulatory ${companyId} ${operation.id}`}, 0))`)
  const content = await EXPORT_BUILDERS[request.kind](tx, deps, actor, request)
  const hash = hashExportContent(content)
  const last = await findLastExport(tx, companyId, request)
  if (last?.hash === hash) return { id: last.id, already: true, operation }
  const number = (last?.number ?? 0) + 1
  const day = getToday()
  const name = [EXPORT_FILE_NAMES[request.kind], request.period, `v${number}`].filter(Boolean).join('-')
  const table = content.files
    ? { name: `${name}.zip`, mediaType: 'application/zip', content: await zipFiles(content.files, day) }
    : { name: `${name}.csv`, mediaType: 'text/csv', content: Buffer.from(writeCsv(content.header, content.rows)) }
  const file = await storeFile(tx, deps.files, companyId, table)
  const pdfFile = await storeFile(tx, deps.files, companyId, {
    name: `${name}.pdf`,
    mediaType: 'application/pdf',
    content: await buildExportPdf(request, content, { number, day, brand: await loadBrand(tx, companyId) }),
  })
  const [row] = await tx
    .insert(regulatoryExports)
    .values({
      companyId,
      operationId: operation.id,
      kind: request.kind,
      period: request.period,
      number,
      rows: content.rows.length,
      hash,
      subjects: content.subjects,
      fileId: file.id,
      paperId: pdfFile.id,
      createdBy: formatActorName(actor),
    })
    .returning({ id: regulatoryExports.id })
  if (!row) throw new AppError('internal')
  const { kind, period } = request
  const data = { exportId: row.id, operationId: operation.id, kind, period, number }
  await recordEvent(tx, { companyId, name: 'regulatory.issued', object: row.id, data })
  return { id: row.id, already: false, operation }
}

type ExportVersion = { number: number; day: string; brand: Brand }

/** An export as a PDF to read, sign or attach to a letter. */
function buildExportPdf(
  { kind, operation, period }: ExportRequest,
  content: ExportContent,
  { number, day, brand }: ExportVersion,
) {
  const { title, purpose } = REGULATORY_LABELS[kind]
  const { lead, columns, rows, after = [] } = content.sheet
  const createdAt = new Date(`${day}T12:00:00Z`)
  const pdfDocument = openPdf({ title, subject: operation.name, author: brand.name, createdAt })
  const about = [operation.name, operation.accNumber, operation.pmoName, formatExportPeriod(period)].filter(Boolean)
  drawOpening(pdfDocument, title, about.join(' · '), `Version ${number}, ${formatLongDay(day)}`, brand)
  drawParagraph(pdfDocument, purpose)
  drawParagraph(pdfDocument, lead)
  if (content.missing.length > 0) drawParagraph(pdfDocument, `Il manque\u00a0: ${content.missing.join(', ')}.`)
  if (rows.length > 0) drawTable(pdfDocument, columns, rows, { total: kind === 'yearly' })
  for (const { title: head, text } of after) {
    drawHeading(pdfDocument, 2, head)
    drawParagraph(pdfDocument, text)
  }
  return closePdf(pdfDocument, { title, brand })
}
