import { and, desc, eq, sql } from 'drizzle-orm'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { copyRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { PermanentJobError } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { CopyFault, countCopiedRows, type SignedManifest } from './copy-format.ts'
import { checkMissingFiles, type Finding } from './missing-files.ts'

export type CopyRunResult = { copy: string; rows: number; bytes: number; findings?: Finding[] }
type CopyRunFailure = { failure: string; copy?: string; findings?: Finding[] }
type NewCopyRun = { kind: 'copy' | 'verify' | 'drill'; copy?: string; askedBy: string }
export type CopyRunRow = typeof copyRuns.$inferSelect

/** What a process that was killed had begun has not ended by itself. */
const MAX_RUN_HOURS = 6
const SERVER_STOPPED = 'Le serveur s’est arrêté pendant ce travail\u00a0: rien n’en reste. Recommencez.'

export const closeLostCopyRuns = (db: Db, kind?: NewCopyRun['kind']) =>
  db.execute(sql`update copy_runs set state = 'failed', failure = ${SERVER_STOPPED}, ended_at = now()
    where state = 'running' and ${kind ? sql`kind = ${kind}` : sql`started_at < now() - make_interval(hours => ${MAX_RUN_HOURS})`}`)

/** What `asked_by` says of a run that was started from the command line instead of by a job. */
const ASKED_FROM_TERMINAL = 'voisol backup'
/** Copies whose job the queue no longer runs: their process was killed. Those made from a terminal are not in the queue. */
export const closeKilledCopyRuns = (db: Db) =>
  db.execute(sql`update copy_runs set state = 'failed', failure = ${SERVER_STOPPED}, ended_at = now()
    where state = 'running' and kind = 'copy' and asked_by <> ${ASKED_FROM_TERMINAL}
      and not exists (select from jobs.job where name = 'copies.make' and state = 'active')`)

export const listCopyRuns = (db: Db, limit: number, kind?: NewCopyRun['kind']): Promise<CopyRunRow[]> =>
  db
    .select()
    .from(copyRuns)
    .where(kind && eq(copyRuns.kind, kind))
    .orderBy(desc(copyRuns.startedAt))
    .limit(limit)

export async function findLastCopyRunStart(db: Db, kind: NewCopyRun['kind']): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: copyRuns.startedAt })
    .from(copyRuns)
    .where(eq(copyRuns.kind, kind))
    .orderBy(desc(copyRuns.startedAt))
    .limit(1)
  return row?.at
}

/** When one last ended well. */
export async function findLastCopyRunSuccess(db: Db, kind: NewCopyRun['kind']): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: copyRuns.endedAt })
    .from(copyRuns)
    .where(and(eq(copyRuns.kind, kind), eq(copyRuns.state, 'done')))
    .orderBy(desc(copyRuns.startedAt))
    .limit(1)
  return row?.at ?? undefined
}

/** Codes of a machine that lacks something, in words. */
const REMEDIES: Record<string, string> = {
  ENOSPC: 'Il n’y a plus de place sur le disque\u00a0: libérez-en, ou gardez moins de copies.',
  EACCES: 'Le dossier des copies ne peut pas être écrit\u00a0: vérifiez ses droits.',
  EROFS:
    'Le dossier des copies ne peut pas être écrit\u00a0: le disque est en lecture seule, ou le service n’y a pas droit (ReadWritePaths, par «\u00a0systemctl edit voisol\u00a0»).',
  ENOENT: 'Le dossier des copies n’est pas là\u00a0: vérifiez BACKUP_FOLDER, ou que le disque est monté.',
}
/** Where somebody can do something about it; undefined for what nobody foresaw. */
export function findCopyFailureReason(error: unknown): string | undefined {
  if (error instanceof CopyFault) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REMEDIES[code]
}
export const describeCopyFailure = (error: unknown): string =>
  findCopyFailureReason(error) ?? `Le travail a échoué\u00a0: ${error instanceof Error ? error.message : String(error)}`

const JOB_BY_KIND: Record<NewCopyRun['kind'], string> = {
  copy: 'copies.make',
  verify: 'copies.verify',
  drill: 'copies.drill',
}

async function endCopyRun(deps: Deps, run: CopyRunRow, result: CopyRunResult | CopyRunFailure) {
  const seconds = Math.round((Date.now() - run.startedAt.getTime()) / 1000)
  const failed = 'failure' in result
  await transaction(deps.db, async (tx) => {
    const shared = { endedAt: new Date(), seconds, findings: result.findings ?? [] }
    const copy = result.copy ?? run.copy
    await tx
      .update(copyRuns)
      .set(
        failed
          ? { ...shared, copy, state: 'failed', failure: result.failure }
          : { ...shared, copy, state: 'done', failure: null },
      )
      .where(eq(copyRuns.id, run.id))
    const companyId = await loadSiteOwnerId(tx)
    if (companyId === NO_SITE_OWNER) return
    const kind = run.kind as NewCopyRun['kind'] // as it was begun
    const about = { companyId, object: run.id, by: { job: JOB_BY_KIND[kind], secrets: deps.secrets } }
    if (failed)
      await recordEvent(tx, {
        ...about,
        name: 'copy.failed',
        data: { runId: run.id, copy, kind, reason: result.failure },
      })
    else if (kind === 'copy')
      await recordEvent(tx, {
        ...about,
        name: 'copy.completed',
        data: { runId: run.id, copy, rows: result.rows, bytes: result.bytes, seconds },
      })
    else if (kind === 'drill')
      await recordEvent(tx, {
        ...about,
        name: 'copy.proved',
        data: { runId: run.id, copy, rows: result.rows, seconds },
      })
  })
}

/** What is written of work that came to its end: where something in it did not hold, it has failed with what was found. */
function toRunOutcome(done: CopyRunResult): CopyRunResult | CopyRunFailure {
  const wrong = done.findings?.filter(({ ok }) => !ok) ?? []
  if (!wrong.length) return done
  const failure = wrong.map(({ label, detail }) => `${label}\u00a0: ${detail}`).join(' ')
  return { failure, copy: done.copy, findings: done.findings ?? [] }
}

/** A copy that was made; it has failed where a file that a record names is not in it. */
export const toCopyResult = ({ manifest, content }: SignedManifest): CopyRunResult => ({
  copy: manifest.name,
  rows: countCopiedRows(manifest),
  bytes: content.bytes,
  findings: checkMissingFiles(manifest),
})

/** Does it, and tells how it ended. */
export async function trackCopyRun(
  deps: Deps,
  newRun: NewCopyRun,
  work: () => Promise<CopyRunResult>,
): Promise<CopyRunResult> {
  await closeLostCopyRuns(deps.db, newRun.kind)
  const [run] = await deps.db.insert(copyRuns).values(newRun).returning()
  if (!run) throw new Error('no run')
  let done: CopyRunResult
  try {
    done = await work()
  } catch (error) {
    await endCopyRun(deps, run, { failure: describeCopyFailure(error) })
    throw new PermanentJobError(describeCopyFailure(error), { cause: error })
  }
  await endCopyRun(deps, run, toRunOutcome(done))
  return done
}

/**
 * The same for a copy made from a terminal, whose database may be read-only or of another version: one that could not be
 * noted is made nevertheless; `unnoted` says why.
 */
export async function trackTerminalCopy(deps: Deps, work: () => Promise<SignedManifest>) {
  const row = { kind: 'copy', askedBy: ASKED_FROM_TERMINAL, startedAt: new Date() }
  const begin = async () => (await deps.db.insert(copyRuns).values(row).returning())[0]
  const insertedRun = await begin().catch(() => undefined)
  const note = async (result: CopyRunResult | CopyRunFailure) => {
    const run = insertedRun ?? (await begin())
    if (run) await endCopyRun(deps, run, result)
  }
  const sheet = await work().catch(async (error: unknown) => {
    await note({ failure: describeCopyFailure(error) }).catch(() => {})
    throw error
  })
  return { sheet, unnoted: await note(toRunOutcome(toCopyResult(sheet))).then(() => '', describeCopyFailure) }
}

/** Where none was ever made, one is made, read again and restored, beside what else goes on; without a key there is none. */
export const requestFirstCopy = ({ db, config }: Pick<Deps, 'db' | 'config'>, askedBy: string): Promise<void> =>
  transaction(db, async (tx) => {
    if (!config.backupKey || (await findLastCopyRunStart(tx, 'copy'))) return
    await enqueue(tx, 'copies.make', { askedBy, prove: true }, { once: 'copy' })
  })
