import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, sql } from 'drizzle-orm'
import { getFileKey } from '../../../core/kept-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { distributorFiles, syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { findJobRefusal } from '../../../http/job-actor.ts'
import { PRIVATE_FILE } from '../../../private-files.ts'
import { startImportAwaitingAnswers } from '../../energy/curves/curves.ts'
import { decryptFileKey, logSyncError } from '../sync/sync.ts'
import { type KnownPoints, loadKnownPoints, lockPoints } from './known-points.ts'
import { QuarantineError, toQuarantineFault } from './refusal.ts'
import { createFileContentWriter } from './store.ts'
import { openReader } from './worker.ts'

/** The user is missing for a file found in the folder, or queued before users were recorded. */
export type DecodeJob = {
  companyId: number
  fileId: string
  userId?: string | null | undefined
  keyId?: string | undefined
}
type Row = typeof distributorFiles.$inferSelect
type Reader = ReturnType<typeof openReader>

const whereFile = ({ companyId, fileId }: DecodeJob) =>
  and(eq(distributorFiles.companyId, companyId), eq(distributorFiles.id, fileId))

async function findFile(db: Db, job: DecodeJob): Promise<Row | undefined> {
  const [row] = await db.select().from(distributorFiles).where(whereFile(job))
  return row
}

/** Decodes a file and stores its whole content with its state, or puts the whole file aside. */
export async function decodeFile(deps: Deps, job: DecodeJob, signal: AbortSignal): Promise<void> {
  const row = await findFile(deps.db, job)
  if (row?.status !== 'waiting') return
  const scratch = await mkdtemp(join(deps.config.dataDir, 'fichier-'))
  try {
    await requireRequesterAllowed(deps, job)
    await readAndStore(deps, row, scratch, signal)
  } catch (error) {
    if (!(error instanceof QuarantineError)) throw error
    await quarantineFile(deps, row, error)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function requireRequesterAllowed({ db }: Deps, { companyId, userId = null, keyId }: DecodeJob): Promise<void> {
  const refusal = await findJobRefusal(db, { companyId, userId, keyId }, { permission: 'distributor-files.write' })
  if (refusal) throw new QuarantineError('asker', refusal.message)
}

async function readAndStore(deps: Deps, row: Row, scratch: string, signal: AbortSignal): Promise<void> {
  const path = join(scratch, 'received')
  const content = await deps.files.stream(getFileKey(row))
  if (!content) throw new QuarantineError('gone', 'Le contenu de ce fichier n’est plus disponible.')
  await pipeline(content, createWriteStream(path, PRIVATE_FILE))
  const key = await loadCompanyFileKey(deps, row.companyId)
  const opening = { path, name: row.name, key, scratch }
  const reader = openReader(deps, { opening, companyId: row.companyId, signal })
  try {
    const { kinds, points } = await reader.check()
    const known = await loadKnownPoints(deps.db, row.companyId, points)
    if (known.prms.length === 0) throw new QuarantineError('points', 'Aucun point de ce fichier n’est connu ici.')
    await storeFileContent(deps, row, reader, { kind: kinds.join(', '), known })
  } finally {
    await reader.close()
  }
}

async function loadCompanyFileKey({ db, secrets }: Deps, companyId: number): Promise<string | null> {
  const [settings] = await db.select().from(syncSettings).where(eq(syncSettings.companyId, companyId))
  return settings ? decryptFileKey(secrets, settings) : null
}

/**
 * Stores everything in one transaction. Even millions of readings become only some ten thousand day rows, and an
 * interruption leaves nothing to clean up.
 */
const storeFileContent = (
  deps: Deps,
  row: Row,
  reader: Reader,
  { kind, known }: { kind: string; known: KnownPoints },
) =>
  transaction(deps.db, async (tx) => {
    const job = { companyId: row.companyId, fileId: row.id }
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`distributor file ${row.id}`}, 0))`)
    if ((await findFile(tx, job))?.status !== 'waiting') return
    await lockPoints(tx, row.companyId, known.ids)
    const writer = createFileContentWriter(tx, { secrets: deps.secrets, ...job, known, receivedAt: new Date() })
    for await (const batch of reader.read(known.prms)) await writer.take(batch)
    await tx
      .update(distributorFiles)
      .set({ status: 'decoded', kind, reason: '', counts: writer.counts })
      .where(whereFile(job))
    await writer.end()
  })

const quarantineFile = (
  { db, secrets }: Deps,
  { companyId, id, fileId, name }: Row,
  { code, message }: QuarantineError,
) =>
  transaction(db, async (tx) => {
    const { rowCount } = await tx
      .update(distributorFiles)
      .set({ status: 'quarantined', reason: message, counts: {} })
      .where(and(whereFile({ companyId, fileId: id }), eq(distributorFiles.status, 'waiting')))
    if (!rowCount) return
    await logSyncError(tx, { companyId, fault: toQuarantineFault(code, message), subject: name, at: new Date() })
    if (code === 'asks')
      await startImportAwaitingAnswers(tx, { companyId, fileId, by: { job: 'files.decode', secrets } })
  })
