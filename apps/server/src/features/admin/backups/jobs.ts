import { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { defineJob } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { closeKilledCompanyCopies, expireCompanyCopies, runCompanyCopyJob } from './company-copies.ts'
import { countCopiedRows } from './copy-format.ts'
import { closeKilledCopyRuns, findLastCopyRunStart, listCopyRuns, toCopyResult, trackCopyRun } from './copy-runs.ts'
import { isCopyDue, isCopyRetryDue, isRestoreTestDue, listCopiesToDelete, loadCopySchedule } from './copy-schedule.ts'
import { listCopies, openCopyStore, removeCopy, requireBackupKey } from './copy-store.ts'
import { checkMissingFiles } from './missing-files.ts'
import { createCopySource, verifyCopy } from './restore-copy.ts'
import { runRestoreTest } from './restore-test.ts'
import { makeCopy } from './write-copy.ts'

/** Told when it fails; a copy is then tried again by `copies.due`, an hour later. */
const LONG_JOB_POLICY = { retryLimit: 0, expireInSeconds: 6 * 3600 }
/** `prove`: once it is made it is read again, then restored where nobody works. */
const CopyJobInput = z.object({ askedBy: z.string(), prove: z.boolean().default(false) })
const NamedCopyJobInput = CopyJobInput.extend({ name: z.string() })

async function makeCopyAndPrune(deps: Deps, signal: AbortSignal) {
  const signedManifest = await makeCopy(deps, signal)
  const place = openCopyStore(deps.config)
  const storedCopies = (await listCopies(place)).map(({ manifest }) => manifest)
  for (const name of listCopiesToDelete(storedCopies, await loadCopySchedule(deps.db))) await removeCopy(place, name)
  return toCopyResult(signedManifest)
}

async function verifyCopyByName(deps: Deps, name: string) {
  const manifest = await verifyCopy(createCopySource(openCopyStore(deps.config), name), requireBackupKey(deps.config))
  return { copy: name, rows: countCopiedRows(manifest), bytes: 0, findings: checkMissingFiles(manifest) }
}

/** An installation that has made none yet waits for its first night. */
async function loadLastStartOrInstallDate(tx: Db, kind: 'copy' | 'drill'): Promise<Date | undefined> {
  const last = await findLastCopyRunStart(tx, kind)
  if (last) return last
  const { rows } = await tx.$client.query<{ at: Date | null }>('select min(created_at) as at from companies')
  return rows[0]?.at ?? undefined
}

/** More than are tried in a night, and those that people ask for beside. */
const MAX_RUNS_OF_NIGHT = 20

/** What its hour has come for. Without a key there is nothing to begin: the screen says so, every hour would not help. */
async function startDueCopyJobs(deps: Deps) {
  await expireCompanyCopies(deps)
  await closeKilledCompanyCopies(deps)
  if (!deps.config.backupKey) return
  const schedule = await loadCopySchedule(deps.db)
  const now = new Date()
  const askedBy = 'Voisol'
  await transaction(deps.db, async (tx) => {
    await closeKilledCopyRuns(tx)
    const retry = isCopyRetryDue(schedule, await listCopyRuns(tx, MAX_RUNS_OF_NIGHT, 'copy'), now)
    if (retry || isCopyDue(schedule, await loadLastStartOrInstallDate(tx, 'copy'), now))
      await enqueue(tx, 'copies.make', { askedBy }, { once: 'copy' })
    else if (isRestoreTestDue(schedule, await loadLastStartOrInstallDate(tx, 'drill'), now)) {
      const [newest] = await listCopies(openCopyStore(deps.config))
      if (newest) await enqueue(tx, 'copies.drill', { askedBy, name: newest.manifest.name }, { once: 'drill' })
    }
  })
}

export const backupJobs = {
  'copies.due': defineJob({
    input: z.object({}),
    cron: '17 * * * *',
    policy: { retryLimit: 0 },
    run: startDueCopyJobs,
  }),
  'copies.make': defineJob({
    input: CopyJobInput,
    policy: LONG_JOB_POLICY,
    run: async (deps, { askedBy, prove }, { signal }) => {
      const { copy: name, findings } = await trackCopyRun(deps, { kind: 'copy', askedBy }, () =>
        makeCopyAndPrune(deps, signal),
      )
      // An incomplete one has failed already.
      if (prove && !findings?.length) await enqueue(deps.db, 'copies.verify', { askedBy, name, prove }, { once: name })
    },
  }),
  'copies.verify': defineJob({
    input: NamedCopyJobInput,
    policy: LONG_JOB_POLICY,
    run: async (deps, { askedBy, name, prove }) => {
      await trackCopyRun(deps, { kind: 'verify', copy: name, askedBy }, () => verifyCopyByName(deps, name))
      if (prove) await enqueue(deps.db, 'copies.drill', { askedBy, name }, { once: 'drill' })
    },
  }),
  'copies.drill': defineJob({
    input: NamedCopyJobInput,
    policy: LONG_JOB_POLICY,
    run: async (deps, { askedBy, name }) => {
      await trackCopyRun(deps, { kind: 'drill', copy: name, askedBy }, () => runRestoreTest(deps, name))
    },
  }),
  'copies.company': defineJob({
    input: z.object({ companyId: z.int(), id: z.uuid(), keyId: z.uuid().optional() }),
    policy: { ...LONG_JOB_POLICY, retryLimit: 2 },
    run: runCompanyCopyJob,
  }),
}
