import { z } from 'zod'
import { type Db, transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { job } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { closeKilledCompanyCopies, expireCopies, workOn } from './company-copies.ts'
import { drillCopy } from './drill.ts'
import { rowsOf } from './manifest.ts'
import { fileFindings } from './missing-files.ts'
import { keyOf, listCopies, placeOf, removeCopy } from './place.ts'
import { verifyCopy } from './read-copy.ts'
import { leaving } from './retention.ts'
import { closeKilledCopies, lastBegun, readRuns, running, toCopyResult } from './runs.ts'
import { copyDue, copyRetryDue, drillDue, readSchedule } from './schedule.ts'
import { sourceAt } from './source.ts'
import { makeCopy } from './write-copy.ts'

/** Told when it fails; a copy is then tried again by `copies.due`, an hour later. */
const LONG = { retryLimit: 0, expireInSeconds: 6 * 3600 }
/** `prove`: once it is made it is read again, then restored where nobody works. */
const Asked = z.object({ askedBy: z.string(), prove: z.boolean().default(false) })
const Named = Asked.extend({ name: z.string() })

async function copyAndForget(deps: Deps, signal: AbortSignal) {
  const sheet = await makeCopy(deps, signal)
  const place = placeOf(deps.config)
  const kept = (await listCopies(place)).map(({ manifest }) => manifest)
  for (const name of leaving(kept, await readSchedule(deps.db))) await removeCopy(place, name)
  return toCopyResult(sheet)
}

async function verifyNamed(deps: Deps, name: string) {
  const manifest = await verifyCopy(sourceAt(placeOf(deps.config), name), keyOf(deps.config))
  return { copy: name, rows: rowsOf(manifest), bytes: 0, findings: fileFindings(manifest) }
}

/** An installation that has made none yet waits for its first night. */
async function begunOr(tx: Db, kind: 'copy' | 'drill'): Promise<Date | undefined> {
  const last = await lastBegun(tx, kind)
  if (last) return last
  const { rows } = await tx.$client.query<{ at: Date | null }>('select min(created_at) as at from companies')
  return rows[0]?.at ?? undefined
}

/** More than are tried in a night, and those that people ask for beside. */
const RUNS_OF_A_NIGHT = 20

/** What its hour has come for. Without a key there is nothing to begin: the screen says so, every hour would not help. */
async function beginDue(deps: Deps) {
  await expireCopies(deps)
  await closeKilledCompanyCopies(deps)
  if (!deps.config.backupKey) return
  const schedule = await readSchedule(deps.db)
  const now = new Date()
  const askedBy = 'Voisol'
  await transaction(deps.db, async (tx) => {
    await closeKilledCopies(tx)
    const retry = copyRetryDue(schedule, await readRuns(tx, RUNS_OF_A_NIGHT, 'copy'), now)
    if (retry || copyDue(schedule, await begunOr(tx, 'copy'), now))
      await enqueue(tx, 'copies.make', { askedBy }, { once: 'copy' })
    else if (drillDue(schedule, await begunOr(tx, 'drill'), now)) {
      const [newest] = await listCopies(placeOf(deps.config))
      if (newest) await enqueue(tx, 'copies.drill', { askedBy, name: newest.manifest.name }, { once: 'drill' })
    }
  })
}

export const backupJobs = {
  'copies.due': job({ input: z.object({}), cron: '17 * * * *', policy: { retryLimit: 0 }, run: beginDue }),
  'copies.make': job({
    input: Asked,
    policy: LONG,
    run: async (deps, { askedBy, prove }, { signal }) => {
      const { copy: name, findings } = await running(deps, { kind: 'copy', askedBy }, () => copyAndForget(deps, signal))
      // An incomplete one has failed already.
      if (prove && !findings?.length) await enqueue(deps.db, 'copies.verify', { askedBy, name, prove }, { once: name })
    },
  }),
  'copies.verify': job({
    input: Named,
    policy: LONG,
    run: async (deps, { askedBy, name, prove }) => {
      await running(deps, { kind: 'verify', copy: name, askedBy }, () => verifyNamed(deps, name))
      if (prove) await enqueue(deps.db, 'copies.drill', { askedBy, name }, { once: 'drill' })
    },
  }),
  'copies.drill': job({
    input: Named,
    policy: LONG,
    run: async (deps, { askedBy, name }) => {
      await running(deps, { kind: 'drill', copy: name, askedBy }, () => drillCopy(deps, name))
    },
  }),
  'copies.company': job({
    input: z.object({ companyId: z.int(), id: z.uuid(), keyId: z.uuid().optional() }),
    policy: { ...LONG, retryLimit: 2 },
    run: workOn,
  }),
}
