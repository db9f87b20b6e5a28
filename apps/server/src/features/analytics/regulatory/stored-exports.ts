import type { NewSending, RegulatoryExport, RegulatoryKind, RegulatoryPreview } from '@voisol/contract/regulatory'
import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { getFileKey } from '../../../core/stored-files.ts'
import type { Db } from '../../../db/client.ts'
import { files, regulatoryExports, regulatorySendings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { FileStore } from '../../../integrations/files/files.ts'
import { getToday } from '../../../today.ts'
import { EXPORT_BUILDERS, findLastExport, hashExportContent } from './create-export.ts'

const pdfFiles = alias(files, 'papers')
const selectExports = (db: Db, where: SQL | undefined) =>
  db
    .select({ made: regulatoryExports, file: files, paper: pdfFiles })
    .from(regulatoryExports)
    .innerJoin(files, and(eq(files.companyId, regulatoryExports.companyId), eq(files.id, regulatoryExports.fileId)))
    .leftJoin(
      pdfFiles,
      and(eq(pdfFiles.companyId, regulatoryExports.companyId), eq(pdfFiles.id, regulatoryExports.paperId)),
    )
    .where(where)
    .orderBy(desc(regulatoryExports.createdAt), desc(regulatoryExports.number))
type ExportRow = Awaited<ReturnType<typeof selectExports>>[number]
type SendingRow = typeof regulatorySendings.$inferSelect

const toSending = ({ id, sentOn, recipient, channel, note, createdBy }: SendingRow) => ({
  id,
  sentOn,
  to: recipient,
  // The column only stores channels of the contract.
  channel: channel as RegulatoryExport['sendings'][number]['channel'],
  note,
  by: createdBy,
})

const toExport = ({ made, file, paper }: ExportRow, sendings: SendingRow[]): RegulatoryExport => ({
  id: made.id,
  // The column only stores kinds of the contract.
  kind: made.kind as RegulatoryKind,
  period: made.period,
  number: made.number,
  rows: made.rows,
  file: { name: file.name, size: file.size },
  paper: paper && { name: paper.name, size: paper.size },
  madeBy: made.createdBy,
  madeAt: made.createdAt.toISOString(),
  sendings: sendings.map(toSending),
})

async function addSendings(db: Db, companyId: number, rows: ExportRow[]): Promise<RegulatoryExport[]> {
  const ids = rows.map(({ made }) => made.id)
  const sent = ids.length
    ? await db
        .select()
        .from(regulatorySendings)
        .where(and(eq(regulatorySendings.companyId, companyId), inArray(regulatorySendings.exportId, ids)))
        .orderBy(asc(regulatorySendings.sentOn), asc(regulatorySendings.createdAt))
    : []
  const byExport = Map.groupBy(sent, ({ exportId }) => exportId)
  return rows.map((row) => toExport(row, byExport.get(row.made.id) ?? []))
}

const isExportOfCompany = (actor: Actor) => eq(regulatoryExports.companyId, actor.companyId)

async function requireExportRow(db: Db, actor: Actor, id: string): Promise<ExportRow> {
  const [row] = await selectExports(db, and(isExportOfCompany(actor), eq(regulatoryExports.id, id)))
  if (!row) throw new AppError('not-found')
  await requireVisibleOperation(db, actor, row.made.operationId)
  return row
}

export async function loadRegulatoryExport(db: Db, actor: Actor, id: string): Promise<RegulatoryExport> {
  const [made] = await addSendings(db, actor.companyId, [await requireExportRow(db, actor, id)])
  if (!made) throw new AppError('not-found')
  return made
}

/** Exports of the current state are computed to detect changes; those of a period are made on request. */
const UNDATED_KINDS = ['consumers', 'producers', 'consents'] as const

export async function listRegulatoryExports(db: Db, deps: Pick<Deps, 'config'>, actor: Actor, operationId: string) {
  const operation = await requireVisibleOperation(db, actor, operationId)
  const rows = await selectExports(db, and(isExportOfCompany(actor), eq(regulatoryExports.operationId, operationId)))
  const offers: RegulatoryPreview[] = []
  for (const kind of UNDATED_KINDS) {
    const asked = { kind, operation, period: '' }
    const content = await EXPORT_BUILDERS[kind](db, deps, actor, asked)
    const last = await findLastExport(db, actor.companyId, asked)
    const changed = last ? last.hash !== hashExportContent(content) : null
    offers.push({ kind, rows: content.rows.length, changed, missing: content.missing })
  }
  return { items: await addSendings(db, actor.companyId, rows), offers }
}

export async function loadExportFile(db: Db, store: FileStore, actor: Actor, id: string, part: 'table' | 'paper') {
  const row = await requireExportRow(db, actor, id)
  const file = part === 'paper' ? row.paper : row.file
  if (!file) throw new AppError('not-found')
  const content = await store.get(getFileKey(file))
  if (!content) throw new Error(`file store: ${getFileKey(file)} is recorded but not there`)
  return { name: file.name, type: file.mediaType, content }
}

type SendingEventData = Pick<z.output<typeof NewSending>, 'sentOn' | 'channel'>

/** A recorded sending is never changed. */
export async function recordExportSending(
  tx: Db,
  actor: Actor,
  id: string,
  { to, ...sending }: z.output<typeof NewSending>,
) {
  const made = await loadRegulatoryExport(tx, actor, id)
  if (sending.sentOn > getToday())
    throw fieldError('sentOn', 'Un envoi se note une fois fait\u00a0: cette date est à venir.')
  if (sending.sentOn < made.madeAt.slice(0, 10))
    throw fieldError(
      'sentOn',
      `Cette version a été établie le ${made.madeAt.slice(0, 10).split('-').reverse().join('/')}\u00a0: elle n’a pas pu partir avant.`,
    )
  await tx
    .insert(regulatorySendings)
    .values({ ...sending, companyId: actor.companyId, exportId: id, recipient: to, createdBy: formatActorName(actor) })
  await recordSentEvent(tx, actor.companyId, id, sending)
  return loadRegulatoryExport(tx, actor, id)
}

async function recordSentEvent(
  tx: Db,
  companyId: number,
  id: string,
  { sentOn: on, channel }: SendingEventData,
): Promise<void> {
  const own = and(eq(regulatoryExports.companyId, companyId), eq(regulatoryExports.id, id))
  const [row] = await tx.select().from(regulatoryExports).where(own)
  if (!row) return
  const { operationId, kind, period, number } = row
  const data = { exportId: id, operationId, kind, period, number, on, channel }
  await recordEvent(tx, { companyId, name: 'regulatory.sent', object: id, data })
}
