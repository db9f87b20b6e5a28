import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DATA_SETS } from '@voisol/contract/data-sets'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { dataExports } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import type { Task } from '../../../jobs/job.ts'
import { finish } from './finish.ts'
import { fileKind, MOST_SHEET_ROWS, type Order, refusalOf, toOrder } from './order.ts'
import { exportKey, type Row } from './view.ts'
import { NOTHING, type Progress, writeDraft } from './write.ts'

const KEPT_DAYS = 7
const BROKEN =
  'L’export n’a pas pu être achevé, même en le reprenant. Refaites-le\u00a0; s’il échoue encore, choisissez une période plus courte.'

type Ids = { companyId: number; id: string }
const one = ({ companyId, id }: Ids) => and(eq(dataExports.companyId, companyId), eq(dataExports.id, id))
const open = (ids: Ids) => and(one(ids), inArray(dataExports.state, ['waiting', 'running']))

/** Whatever was changed meanwhile is said by there being no such row any more. */
async function set(db: Db, ids: Ids, values: Partial<Row>): Promise<Row | undefined> {
  const [row] = await transaction(db, (tx) => tx.update(dataExports).set(values).where(open(ids)).returning())
  return row
}

export const folderOf = ({ config }: Pick<Deps, 'config'>, { companyId, id }: Ids) =>
  join(config.dataDir, 'export-drafts', `${companyId}-${id}`)

/** As they stand now. Seen otherwise than when it was begun, what is written already does not count. */
async function begun(deps: Deps, row: Row): Promise<{ actor: Actor; progress: Progress } | undefined> {
  const { companyId, userId, keyId } = row
  const asker = { companyId, userId, keyId }
  await authorizeJob(deps.db, asker, { permission: 'exports.write' })
  const actor = await authorizeJob(deps.db, asker, { permission: DATA_SETS[toOrder(row).dataSet].permission })
  const within = actor.operationIds ? actor.operationIds.toSorted() : null
  const same = isDeepStrictEqual(within, row.within ? row.within.toSorted() : null)
  const progress = same ? { cursor: row.cursor, bytes: row.bytes, rows: row.rows } : NOTHING
  const taken = await set(deps.db, row, { state: 'running', within, ...progress })
  return taken && { actor, progress }
}

/** Counted, not estimated. */
function requireFits({ format }: Order, rows: number) {
  const refusal = refusalOf(format, rows)
  if (refusal) throw new AppError('invalid', { message: refusal })
}

async function make(deps: Deps, row: Row, signal: AbortSignal): Promise<void> {
  const order = toOrder(row)
  const started = await begun(deps, row)
  if (!started) return
  const folder = folderOf(deps, row)
  const save = async (progress: Progress) => {
    if (progress.rows > MOST_SHEET_ROWS) requireFits(order, progress.rows)
    return (await set(deps.db, row, progress)) !== undefined
  }
  const writing = { deps, actor: started.actor, order, folder, signal, save }
  const written = await writeDraft(writing, started.progress)
  if (!written) return
  const path = await finish(order, written.rows, folder)
  const { size } = await stat(path)
  const fileKey = exportKey(row)
  await deps.files.putFile(fileKey, path, fileKind(order.format).type)
  await end(deps, row, { state: 'done', rows: written.rows, bytes: size, fileKey })
}

/** The state, and what is told of it, together. */
async function end(deps: Deps, row: Row, values: Partial<Row> & { state: 'done' | 'failed' }) {
  const { companyId, id, userId, dataSet, format, name } = row
  await transaction(deps.db, async (tx) => {
    const now = new Date()
    const expiresAt = values.state === 'done' ? new Date(now.getTime() + KEPT_DAYS * 86_400_000) : null
    const ended = await set(tx, row, { ...values, endedAt: now, expiresAt })
    // Cancelled at the last moment: nobody asks for the file any more.
    if (!ended) return void (values.fileKey && (await deps.files.remove(exportKey(row))))
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
    await record(tx, { companyId, name: event, object: id, data, by: { job: 'exports.run', secrets: deps.secrets } })
  })
}

/** Runs what was asked for, from where it was cut; what has ended stays as it ended. */
export async function runExport(deps: Deps, ids: Ids, { signal, last }: Pick<Task, 'signal' | 'last'>): Promise<void> {
  const [row] = await deps.db.select().from(dataExports).where(open(ids))
  const folder = folderOf(deps, ids)
  try {
    if (row) await make(deps, row, signal)
  } catch (error) {
    const said = error instanceof AppError && error.code !== 'compute-busy' ? error.message : undefined
    if (!row || (!said && !last) || signal.aborted) throw error
    deps.log.warn({ err: error, export: ids.id }, 'export failed')
    await end(deps, row, { state: 'failed', failure: said ?? BROKEN })
  }
  await rm(folder, { recursive: true, force: true })
}

/** Those whose days are over, and their files. */
export async function expireExports(deps: Deps): Promise<void> {
  const due = and(eq(dataExports.state, 'done'), lt(dataExports.expiresAt, sql`now()`))
  const rows = await deps.db.select().from(dataExports).where(due).limit(500)
  for (const { companyId, id } of rows) {
    await transaction(forCompany(deps.db, companyId), (tx) =>
      tx.update(dataExports).set({ state: 'expired', fileKey: '' }).where(one({ companyId, id })),
    )
    await deps.files.remove(exportKey({ companyId, id }))
  }
}
