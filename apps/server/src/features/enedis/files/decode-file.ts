import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { NBSP } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import { getFileKey } from '../../../core/stored-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { distributorFiles, syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { findJobRefusal } from '../../../http/job-actor.ts'
import { PRIVATE_FILE } from '../../../private-files.ts'
import { startImportAwaitingAnswers } from '../../energy/curves/index.ts'
import { decryptFileKey, logSyncError } from '../sync/index.ts'
import type { KnownPoints } from './contract-events.ts'
import type { OpenFileInput } from './open-file.ts'
import { QuarantineError, toQuarantineFault } from './quarantine.ts'
import type { CheckedFile, FileBatch, ReaderMessage, ReaderRequest } from './read-task.ts'
import { createFileContentWriter, loadKnownPoints, lockPoints } from './store-file-content.ts'

/** The user is missing for a file found in the folder, or queued before users were recorded. */
type DecodeJob = {
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

/** Messages received but not read yet, in order. */
function createMessageQueue(port: MessagePort) {
  const received: (ReaderMessage | Error)[] = []
  let wake: (() => void) | undefined
  const push = (said: ReaderMessage | Error) => {
    received.push(said)
    wake?.()
  }
  port.on('message', push)
  return {
    hear: push,
    async next(): Promise<ReaderMessage> {
      while (received.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const said = received.shift()
      if (!said || said instanceof Error) throw said
      return said
    },
  }
}

type OpenReaderInput = { opening: OpenFileInput; companyId: number; signal: AbortSignal }

/**
 * Decodes a file in a worker thread, in two passes: the first validates it and lists its points, the second returns the
 * content batch by batch, as fast as batches are acknowledged.
 */
function openReader({ compute }: Pick<Deps, 'compute'>, { opening, companyId, signal }: OpenReaderInput) {
  const { port1: ours, port2: port } = new MessageChannel()
  const queue = createMessageQueue(ours)
  const given = new AbortController()
  const options = { companyId, signal: AbortSignal.any([signal, given.signal]), moved: [port] }
  const task = compute('distributor-files.read', { opening, port }, options).catch((error: unknown) =>
    queue.hear(toReadingError(error)),
  )
  const sendRequest = (request: ReaderRequest) => ours.postMessage(request)
  let ready = false
  const next = async (): Promise<ReaderMessage> => {
    const message = await queue.next()
    ready = 'done' in message || 'refused' in message
    if ('refused' in message) throw new QuarantineError(message.refused.code, message.refused.message)
    return message
  }
  return {
    async check(): Promise<CheckedFile> {
      const message = await next()
      if (!('checked' in message)) throw new Error('the reader of files lost its place')
      return message.checked
    },
    /** Without points, the second pass is skipped. */
    async *read(prms: string[]): AsyncGenerator<FileBatch> {
      sendRequest({ read: prms })
      for (;;) {
        const message = await next()
        if (!('batch' in message)) return
        yield message.batch
        sendRequest({ taken: true })
      }
    },
    /** After this, no thread uses the file any more. */
    async close() {
      if (!ready) given.abort(new Error('the reading was given up'))
      await task
      ours.close()
    },
  }
}

function toReadingError(error: unknown): Error {
  if (error instanceof AppError && error.code === 'compute-memory')
    return new QuarantineError(
      'content',
      `Ce fichier demande trop de mémoire${NBSP}: demandez-le par période ou par groupe de points.`,
    )
  return error instanceof Error ? error : new Error(String(error))
}
