import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { dataExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import type { JobRun } from '../../../jobs/job.ts'
import { finishExportFile } from './finish.ts'
import { type ExportOrder, getFileKind, getSizeRefusal, MAX_SHEET_ROWS, toExportOrder } from './order.ts'
import { type ExportRow, getExportFileKey } from './view.ts'
import { type ExportProgress, NO_PROGRESS, writeExportDraft } from './write.ts'

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
