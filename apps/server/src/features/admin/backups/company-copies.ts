import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ArchivePreview, CompanyCopy } from '@voisol/contract/backups'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import {
  deleteUnreferencedFiles,
  eraseUnreferencedContent,
  getFileKey,
  storeFile,
  storeFileFromPath,
} from '../../../core/stored-files.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companyCopies, files } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { type CopyTotals, exportCompany } from './company-export.ts'
import {
  COMPANY_NOT_EMPTY,
  importCompany,
  isEmptyCompany,
  lockImport,
  previewImport,
  requireSpaceForExport,
  requireSpaceForImport,
} from './company-import.ts'
import { CopyFault, shortenFailure } from './copy-format.ts'
import { findCopyFailureReason } from './copy-runs.ts'
import { hashStream } from './restore-copy.ts'

const UNEXPECTED_FAILURE =
  'Le travail a échoué pour une raison inattendue\u00a0: recommencez, et écrivez-nous si cela se reproduit.'
const SERVER_STOPPED = 'Le serveur s’est arrêté pendant ce travail\u00a0: rien n’en reste. Recommencez.'
const ENDED_MEANWHILE = 'Cette reprise a été close entre-temps\u00a0: rien n’a été repris.'
const PREVIEW_CHANGED =
  'Cette archive n’apporte plus ce qui avait été confirmé\u00a0: relisez ce qui suit, et confirmez de nouveau.'
const EXPORT_RETENTION_DAYS = 7
/** A preview that nobody confirms goes with its file. */
const CONFIRM_HOURS = 24
const MAX_LISTED_COPIES = 30
type CopyRow = typeof companyCopies.$inferSelect
export const getActorName = ({ firstName, lastName, email }: Actor) => `${firstName} ${lastName}`.trim() || email

const toCompanyCopy = ({ companyId: _, userId: __, fileId: ___, confirmedAt: ____, ...row }: CopyRow): CompanyCopy => ({
  ...row,
  kind: row.kind as CompanyCopy['kind'], // checked by the table
  state: row.state as CompanyCopy['state'], // likewise
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

const companyCopyScope = ({ companyId }: { companyId: number }) => eq(companyCopies.companyId, companyId)

export async function listCompanyCopies(db: Db, actor: Actor) {
  const rows = await db
    .select()
    .from(companyCopies)
    .where(companyCopyScope(actor))
    .orderBy(desc(companyCopies.createdAt))
    .limit(MAX_LISTED_COPIES)
  return { items: rows.map(toCompanyCopy), empty: await isEmptyCompany(db, actor.companyId) }
}

export async function loadCompanyCopy(db: Db, actor: Actor, id: string): Promise<CopyRow> {
  const [row] = await db
    .select()
    .from(companyCopies)
    .where(and(companyCopyScope(actor), eq(companyCopies.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

async function insertCopy(tx: Db, actor: Actor, values: Pick<CopyRow, 'kind' | 'name'> & { fileId?: string }) {
  const { companyId, userId, keyId } = actor
  const [row] = await tx
    .insert(companyCopies)
    .values({ ...values, companyId, userId, askedBy: getActorName(actor) })
    .returning()
  if (!row) throw new AppError('internal')
  await enqueue(tx, 'copies.company', { companyId, id: row.id, keyId })
  return toCompanyCopy(row)
}

/** One at a time: somebody who presses twice waits for the same. */
export async function requestCompanyCopy(tx: Db, actor: Actor) {
  await lockCopyStart(tx, actor)
  const waiting = await tx
    .select()
    .from(companyCopies)
    .where(and(companyCopyScope(actor), eq(companyCopies.state, 'waiting')))
  if (waiting.length)
    throw new AppError('in-progress', {
      message: 'Une copie est déjà en préparation\u00a0: attendez qu’elle soit prête.',
    })
  return insertCopy(tx, actor, { kind: 'export', name: `voisol-organisation-${getToday()}.zip` })
}

const requireEmptyCompany = async (tx: Db, { companyId }: Actor) => {
  if (!(await isEmptyCompany(tx, companyId))) throw new AppError('conflict', { message: COMPANY_NOT_EMPTY })
}

/** Of two that one company starts at once, the second sees the first. */
const lockCopyStart = (tx: Db, { companyId }: Actor) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`company copy ${companyId}`}, 0))`)

/** Keeps an archive to be read beside the server: nothing of it is written before somebody has seen what it holds. */
export async function startImport(tx: Db, deps: Deps, actor: Actor, name: string, content: Uint8Array) {
  await requireEmptyCompany(tx, actor)
  await lockCopyStart(tx, actor)
  const unfinished = await tx
    .select({ id: companyCopies.id })
    .from(companyCopies)
    .where(
      and(companyCopyScope(actor), eq(companyCopies.kind, 'import'), inArray(companyCopies.state, ['waiting', 'read'])),
    )
  if (unfinished.length)
    throw new AppError('in-progress', {
      message: 'Une copie attend déjà d’être lue ou confirmée\u00a0: confirmez-la, ou supprimez-la.',
    })
  try {
    await requireSpaceForImport(deps, content.byteLength)
  } catch (error) {
    throw error instanceof CopyFault ? new AppError('disk-full', { message: error.message }) : error
  }
  const file = await storeFile(tx, deps.files, actor.companyId, { name, mediaType: 'application/zip', content })
  return insertCopy(tx, actor, { kind: 'import', name, fileId: file.id })
}

/** The person has seen the preview: the job that writes begins. */
export async function confirmImport(tx: Db, actor: Actor, id: string): Promise<CompanyCopy> {
  await requireEmptyCompany(tx, actor)
  const { companyId, userId, keyId } = actor
  const [row] = await tx
    .update(companyCopies)
    .set({ state: 'waiting', confirmedAt: new Date(), expiresAt: null, userId, askedBy: getActorName(actor) })
    .where(
      and(
        companyCopyScope(actor),
        eq(companyCopies.id, id),
        eq(companyCopies.kind, 'import'),
        eq(companyCopies.state, 'read'),
      ),
    )
    .returning()
  if (!row) throw new AppError('conflict', { message: 'Cette copie n’attend pas de confirmation.' })
  await enqueue(tx, 'copies.company', { companyId, id, keyId })
  return toCompanyCopy(row)
}

async function findCopyFile(db: Db, { companyId, fileId }: CopyRow) {
  const [file] = fileId
    ? await db
        .select()
        .from(files)
        .where(and(eq(files.companyId, companyId), eq(files.id, fileId)))
    : []
  return file
}

export async function loadCopyContent(db: Db, deps: Deps, actor: Actor, id: string) {
  const row = await loadCompanyCopy(db, actor, id)
  const file = row.kind === 'export' && row.state === 'done' ? await findCopyFile(db, row) : undefined
  const content = file && (await deps.files.stream(getFileKey(file)))
  if (!content) throw new AppError('not-found')
  return { name: row.name, content }
}

/** The record of its file goes in the same transaction, the content by a job that is committed with it. */
async function closeCopy(tx: Db, row: CopyRow, state: 'expired' | 'done' | 'failed', more: Partial<CopyRow> = {}) {
  const { companyId, id, fileId } = row
  await tx
    .update(companyCopies)
    .set({ ...more, state, fileId: null })
    .where(and(companyCopyScope(row), eq(companyCopies.id, id)))
  if (fileId) await deleteUnreferencedFiles(tx, companyId, [fileId])
}

export async function removeCompanyCopy(tx: Db, actor: Actor, id: string): Promise<string> {
  const row = await loadCompanyCopy(tx, actor, id)
  if (row.state === 'waiting')
    throw new AppError('conflict', { message: 'Cette copie est en préparation\u00a0: attendez qu’elle soit prête.' })
  await closeCopy(tx, row, 'expired')
  await tx.delete(companyCopies).where(and(companyCopyScope(actor), eq(companyCopies.id, id)))
  return row.name
}

/** Those whose days are over, and their contents. */
export async function expireCompanyCopies(deps: Deps): Promise<void> {
  const { rows } = await deps.db.$client.query<{ companyId: number; id: string }>(
    `select company_id as "companyId", id from company_copies where state in ('done', 'read') and expires_at < now()`,
  )
  for (const { companyId, id } of rows) {
    await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
      // Confirmed since, its days no longer count.
      const row = await lockCopy(tx, { companyId, id }, ['done', 'read'])
      if (row?.expiresAt && row.expiresAt < new Date()) await closeCopy(tx, row, 'expired')
    })
  }
}

const getDraftFolder = ({ config }: Deps) => join(config.dataDir, 'copy-drafts-company')

async function exportToFile(deps: Deps, row: CopyRow): Promise<Partial<CopyRow>> {
  await requireSpaceForExport(deps, row.companyId)
  const folder = getDraftFolder(deps)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, row.id)
  try {
    const done = await exportCompany(deps, row.companyId, path)
    const { size } = await stat(path)
    const sha256 = await hashStream(createReadStream(path))
    const about = { name: row.name, mediaType: 'application/zip', path, size, sha256 }
    const file = await transaction(deps.db, (tx) => storeFileFromPath(tx, deps.files, row.companyId, about))
    const expiresAt = new Date(Date.now() + EXPORT_RETENTION_DAYS * 86_400_000)
    return { ...done, size, fileId: file.id, expiresAt }
  } finally {
    await rm(path, { force: true })
  }
}

async function loadUploadedArchive(deps: Deps, row: CopyRow): Promise<Uint8Array> {
  const file = await findCopyFile(deps.db, row)
  const content = file && (await deps.files.get(getFileKey(file)))
  if (!content) throw new CopyFault('L’archive déposée n’est plus là\u00a0: déposez-la de nouveau.')
  return content
}

class PreviewChanged extends Error {
  readonly preview: ArchivePreview
  constructor(preview: ArchivePreview) {
    super('the archive no longer reads as it was confirmed')
    this.preview = preview
  }
}
const toImportedContent = ({ signedBy, taken, left, files }: ArchivePreview) => ({ signedBy, taken, left, files })
const hasSameContent = (now: ArchivePreview, confirmed: ArchivePreview | null) =>
  confirmed !== null && isDeepStrictEqual(toImportedContent(now), toImportedContent(confirmed))

type SetValues = (values: Partial<CopyRow>) => Promise<unknown>

/** What is done with an archive that was uploaded: read first, and written once somebody has confirmed it. */
async function runImport(deps: Deps, row: CopyRow, set: SetValues) {
  const zip = await loadUploadedArchive(deps, row)
  if (!row.confirmedAt) {
    const preview = await previewImport(deps, row.companyId, zip)
    const expiresAt = new Date(Date.now() + CONFIRM_HOURS * 3_600_000)
    await set({ state: 'read', preview, size: zip.byteLength, expiresAt })
    return
  }
  const finish = async (tx: Db, done: CopyTotals) => {
    if (!(await lockCopy(tx, row, ['waiting']))) throw new CopyFault(ENDED_MEANWHILE)
    await closeCopy(tx, row, 'done', { ...done, endedAt: new Date() })
  }
  await importCompany(deps, row.companyId, zip, finish, (preview) => {
    if (!hasSameContent(preview, row.preview)) throw new PreviewChanged(preview)
  })
}

/** What was confirmed no longer holds: it is shown as it reads now, and waits for another confirmation. */
const requestNewConfirmation = (deps: Deps, row: CopyRow, preview: ArchivePreview) =>
  endAttempt(deps, row, (tx) =>
    tx
      .update(companyCopies)
      .set({
        state: 'read',
        endedAt: new Date(),
        confirmedAt: null,
        expiresAt: new Date(Date.now() + CONFIRM_HOURS * 3_600_000),
        preview: { ...preview, remarks: [PREVIEW_CHANGED, ...preview.remarks] },
      })
      .where(and(companyCopyScope(row), eq(companyCopies.id, row.id))),
  )

/** The sentence that the person reads; what nobody foresaw is for the log, since it may repeat anything. */
function toFailure({ log }: Deps, error: unknown): string {
  const reason = error instanceof AppError ? error.message : findCopyFailureReason(error)
  if (reason === undefined) log.error({ err: error }, 'the copy of a company failed')
  return shortenFailure(reason ?? UNEXPECTED_FAILURE)
}

/** The uploaded archive goes with its refusal. */
const refuseImport = (deps: Deps, row: CopyRow, failure: string) =>
  endAttempt(deps, row, (tx) => closeCopy(tx, row, 'failed', { failure, endedAt: new Date() }))

/** What an import stored whose rows never came: no record of the company names it. */
async function eraseUnnamedContents(deps: Deps, companyId: number) {
  // The caller holds a transaction of the pool open meanwhile.
  const db = scopeToCompany(deps.aside, companyId)
  const named = await db.selectDistinct({ sha256: files.sha256 }).from(files).where(eq(files.companyId, companyId))
  const keys = new Set(named.map(({ sha256 }) => getFileKey({ companyId, sha256 })))
  const prefix = getFileKey({ companyId, sha256: '' })
  for (const key of await deps.files.list(String(companyId)))
    if (!keys.has(key)) await eraseUnreferencedContent(db, deps.files, companyId, key.slice(prefix.length))
}

/**
 * Ends what still waits, and erases first what a confirmed import stored, so that a process killed in between does both
 * again. Where another worker wrote the rows or ended it meanwhile, nothing happens.
 */
async function endAttempt(
  deps: Deps,
  { companyId, id }: Pick<CopyRow, 'companyId' | 'id'>,
  end: (tx: Db, row: CopyRow) => Promise<unknown>,
  isStillMeant: (tx: Db) => Promise<boolean> = async () => true,
) {
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    await lockImport(tx, companyId)
    const row = await lockCopy(tx, { companyId, id }, ['waiting'])
    if (!row || !(await isStillMeant(tx))) return
    if (row.confirmedAt) await eraseUnnamedContents(deps, companyId)
    await end(tx, row)
  })
}

/** A row that waits for a job, held until the transaction ends; undefined where another state was written meanwhile. */
async function lockCopy(tx: Db, { companyId, id }: Pick<CopyRow, 'companyId' | 'id'>, states: CopyRow['state'][]) {
  const own = and(companyCopyScope({ companyId }), eq(companyCopies.id, id), inArray(companyCopies.state, states))
  const [row] = await tx.select().from(companyCopies).where(own).for('update')
  return row
}

const JOB_QUERY = `select from jobs.job where name = 'copies.company' and state < 'completed' and data ->> 'id' = `

/** Ends those whose job is dead, as after a process that was killed at each attempt: nothing else would ever end them. */
export async function closeKilledCompanyCopies(deps: Deps): Promise<void> {
  const { rows } = await deps.db.$client.query<{ companyId: number; id: string }>(
    `select company_id as "companyId", id from company_copies
      where state = 'waiting' and not exists (${JOB_QUERY} company_copies.id::text)`,
  )
  for (const lost of rows) {
    await endAttempt(
      deps,
      lost,
      (tx, row) => closeCopy(tx, row, 'failed', { failure: SERVER_STOPPED, endedAt: new Date() }),
      async (tx) => (await tx.$client.query(`${JOB_QUERY} $1`, [lost.id])).rows.length === 0,
    )
    await rm(join(getDraftFolder(deps), lost.id), { force: true })
  }
}

type CompanyCopyJob = { companyId: number; id: string; keyId?: string | undefined }

/** Runs what was asked for, by whoever may still ask for it; run again, what has ended stays as it ended. */
export async function runCompanyCopyJob(deps: Deps, { companyId, id, keyId }: CompanyCopyJob): Promise<void> {
  const [row] = await deps.db
    .select()
    .from(companyCopies)
    .where(and(companyCopyScope({ companyId }), eq(companyCopies.id, id)))
  if (row?.state !== 'waiting') return
  const set = (values: Partial<CopyRow>) =>
    transaction(deps.db, (tx) =>
      tx
        .update(companyCopies)
        .set({ endedAt: new Date(), ...values })
        .where(and(companyCopyScope(row), eq(companyCopies.id, id))),
    )
  try {
    await authorizeJob(deps.db, { companyId, userId: row.userId, keyId }, { permission: 'backups.write' })
    if (row.kind === 'export') await set({ state: 'done', ...(await exportToFile(deps, row)) })
    else await runImport(deps, row, set)
  } catch (error) {
    if (error instanceof PreviewChanged) {
      await requestNewConfirmation(deps, row, error.preview)
      return
    }
    const failure = toFailure(deps, error)
    if (row.kind === 'export') await set({ state: 'failed', failure })
    else await refuseImport(deps, row, failure)
  }
}
