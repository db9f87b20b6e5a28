import { timingSafeEqual } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { dataExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import type { JobRun } from '../../../jobs/job.ts'
import {
  type ExportOrder,
  getFileKind,
  getSizeRefusal,
  MAX_SHEET_ROWS,
  requireDataSetPermission,
  toExportOrder,
} from './export-order.ts'
import { type ExportRow, exportScope, getExportFileKey, loadExport } from './export-queries.ts'
import { type ExportProgress, finishExportFile, NO_PROGRESS, writeExportDraft } from './write-export.ts'

const EXPORT_RETENTION_DAYS = 7
const UNEXPECTED_FAILURE =
  'L’export n’a pas pu être achevé, même en le reprenant. Refaites-le\u00a0; s’il échoue encore, choisissez une période plus courte.'

type ExportIds = { companyId: number; id: string }
const whereExport = ({ companyId, id }: ExportIds) => and(eq(dataExports.companyId, companyId), eq(dataExports.id, id))
const whereOpenExport = (ids: ExportIds) => and(whereExport(ids), inArray(dataExports.state, ['waiting', 'running']))

/** Updates the export only while it is open: undefined when it was cancelled or ended meanwhile. */
async function updateOpenExport(db: Db, ids: ExportIds, values: Partial<ExportRow>): Promise<ExportRow | undefined> {
  const [row] = await transaction(db, (tx) =>
    tx.update(dataExports).set(values).where(whereOpenExport(ids)).returning(),
  )
  return row
}

export const getExportDraftFolder = ({ config }: Pick<Deps, 'config'>, { companyId, id }: ExportIds) =>
  join(config.dataDir, 'export-drafts', `${companyId}-${id}`)

/** Checks the current permissions. When the scope changed since the start, the draft is discarded. */
async function startOrResume(
  deps: Deps,
  row: ExportRow,
): Promise<{ actor: Actor; progress: ExportProgress } | undefined> {
  const { companyId, userId, keyId } = row
  const requester = { companyId, userId, keyId }
  await authorizeJob(deps.db, requester, { permission: 'exports.write' })
  const actor = await authorizeJob(deps.db, requester, { permission: DATA_SETS[toExportOrder(row).dataSet].permission })
  const within = actor.operationIds ? actor.operationIds.toSorted() : null
  const same = isDeepStrictEqual(within, row.within ? row.within.toSorted() : null)
  const progress = same ? { cursor: row.cursor, bytes: row.bytes, rows: row.rows } : NO_PROGRESS
  const taken = await updateOpenExport(deps.db, row, { state: 'running', within, ...progress })
  return taken && { actor, progress }
}

/** Checks the exact number of rows, where the request only had an estimate. */
function requireRowsFit({ format }: ExportOrder, rows: number) {
  const refusal = getSizeRefusal(format, rows)
  if (refusal) throw new AppError('invalid', { message: refusal })
}

async function makeExportFile(deps: Deps, row: ExportRow, signal: AbortSignal): Promise<void> {
  const order = toExportOrder(row)
  const started = await startOrResume(deps, row)
  if (!started) return
  const folder = getExportDraftFolder(deps, row)
  const save = async (progress: ExportProgress) => {
    if (progress.rows > MAX_SHEET_ROWS) requireRowsFit(order, progress.rows)
    return (await updateOpenExport(deps.db, row, progress)) !== undefined
  }
  const writing = { deps, actor: started.actor, order, folder, signal, save }
  const written = await writeExportDraft(writing, started.progress)
  if (!written) return
  const path = await finishExportFile(order, written.rows, folder)
  const { size } = await stat(path)
  const fileKey = getExportFileKey(row)
  await deps.files.putFile(fileKey, path, getFileKind(order.format).type)
  await endExport(deps, row, { state: 'done', rows: written.rows, bytes: size, fileKey })
}

/** Sets the final state and records its event in one transaction. */
async function endExport(deps: Deps, row: ExportRow, values: Partial<ExportRow> & { state: 'done' | 'failed' }) {
  const { companyId, id, userId, dataSet, format, name } = row
  await transaction(deps.db, async (tx) => {
    const now = new Date()
    const expiresAt = values.state === 'done' ? new Date(now.getTime() + EXPORT_RETENTION_DAYS * 86_400_000) : null
    const ended = await updateOpenExport(tx, row, { ...values, endedAt: now, expiresAt })
    // Cancelled at the last moment: the file is not needed any more.
    if (!ended) return void (values.fileKey && (await deps.files.remove(getExportFileKey(row))))
    const data = {
      exportId: id,
      userId,
      dataSet,
      format,
      name,
      rows: ended.rows,
      bytes: ended.bytes,
      failure: ended.failure,
    }
    const event = values.state === 'done' ? ('export.completed' as const) : ('export.failed' as const)
    await recordEvent(tx, {
      companyId,
      name: event,
      object: id,
      data,
      by: { job: 'exports.run', secrets: deps.secrets },
    })
  })
}

/** Runs the export from its last checkpoint; a finished one is left unchanged. */
export async function runExport(
  deps: Deps,
  ids: ExportIds,
  { signal, last }: Pick<JobRun, 'signal' | 'last'>,
): Promise<void> {
  const [row] = await deps.db.select().from(dataExports).where(whereOpenExport(ids))
  const folder = getExportDraftFolder(deps, ids)
  try {
    if (row) await makeExportFile(deps, row, signal)
  } catch (error) {
    const failureMessage = error instanceof AppError && error.code !== 'compute-busy' ? error.message : undefined
    if (!row || (!failureMessage && !last) || signal.aborted) throw error
    deps.log.warn({ err: error, export: ids.id }, 'export failed')
    await endExport(deps, row, { state: 'failed', failure: failureMessage ?? UNEXPECTED_FAILURE })
  }
  await rm(folder, { recursive: true, force: true })
}

/** Expires old exports and removes their files. */
export async function expireExports(deps: Deps): Promise<void> {
  const due = and(eq(dataExports.state, 'done'), lt(dataExports.expiresAt, sql`now()`))
  const rows = await deps.db.select().from(dataExports).where(due).limit(500)
  for (const { companyId, id } of rows) {
    await transaction(scopeToCompany(deps.db, companyId), (tx) =>
      tx.update(dataExports).set({ state: 'expired', fileKey: '' }).where(whereExport({ companyId, id })),
    )
    await deps.files.remove(getExportFileKey({ companyId, id }))
  }
}

const LINK_HOURS = 24

/** Opens the file of a finished export that has not expired. */
async function loadExportFile({ files }: Pick<Deps, 'files'>, row: ExportRow) {
  const isAvailable = row.state === 'done' && row.expiresAt !== null && row.expiresAt > new Date()
  const content = isAvailable ? await files.stream(getExportFileKey(row)) : undefined
  if (!content) throw new AppError('not-found')
  return { name: row.name, type: getFileKind(toExportOrder(row).format).type, content }
}

/** The permission is checked again at download: who lost it can no longer download what was exported with it. */
export async function downloadExport(db: Db, deps: Pick<Deps, 'files'>, actor: Actor, id: string) {
  const row = await loadExport(db, actor, id)
  requireDataSetPermission(actor, toExportOrder(row).dataSet)
  return loadExportFile(deps, row)
}

type SigningDeps = Pick<Deps, 'secrets'>
const signLink = ({ secrets }: SigningDeps, text: string) => secrets.stamp('export', text)

/** A signed link that needs no session until it expires: anybody who has the link can download the file. */
export async function createDownloadLink(db: Db, deps: SigningDeps, actor: Actor, id: string, base: string) {
  const row = await loadExport(db, actor, id)
  requireDataSetPermission(actor, toExportOrder(row).dataSet)
  if (row.state !== 'done' || !row.expiresAt)
    throw new AppError('conflict', {
      message: 'Cet export n’a pas de fichier\u00a0: attendez qu’il soit prêt, ou refaites-le.',
    })
  const end = Math.min(Date.now() + LINK_HOURS * 3_600_000, row.expiresAt.getTime())
  const text = [row.companyId, row.id, Math.floor(end / 1000)].join('.')
  return {
    row,
    url: `${base}/api/export-links/${text}.${signLink(deps, text)}`,
    expiresAt: new Date(Math.floor(end / 1000) * 1000).toISOString(),
  }
}

const LINK_PATTERN = /^((\d{1,10})\.([0-9a-f-]{36})\.(\d{1,12}))\.([\w-]{43})$/

/** Checks at each use the signature, the expiry, and that the owner of the export may still read its data. */
export async function downloadByLink(db: Db, deps: Pick<Deps, 'files'> & SigningDeps, token: string) {
  const [, text = '', companyId, id = '', end, stamp = ''] = LINK_PATTERN.exec(token) ?? []
  const expectedStamp = Buffer.from(signLink(deps, text))
  const givenStamp = Buffer.from(stamp)
  const genuine = givenStamp.length === expectedStamp.length && timingSafeEqual(givenStamp, expectedStamp)
  if (!genuine || Number(end) * 1000 <= Date.now()) throw new AppError('not-found')
  const [row] = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.companyId, Number(companyId)), eq(dataExports.id, id)))
  if (!row) throw new AppError('not-found')
  const requester = { companyId: row.companyId, userId: row.userId, keyId: row.keyId }
  const permission = DATA_SETS[toExportOrder(row).dataSet].permission
  const actor = await authorizeJob(db, requester, { permission }).catch(() => undefined)
  const [still] = actor
    ? await db
        .select({ id: dataExports.id })
        .from(dataExports)
        .where(and(exportScope({ ...actor, userId: row.userId }), eq(dataExports.id, id)))
    : []
  if (!still) throw new AppError('not-found')
  return loadExportFile(deps, row)
}
