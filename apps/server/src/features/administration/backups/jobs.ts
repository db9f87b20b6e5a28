import { z } from 'zod'
import { transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { job } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { drillCopy } from './drill.ts'
import { rowsOf } from './manifest.ts'
import { keyOf, listCopies, placeOf, removeCopy } from './place.ts'
import { verifyCopy } from './read-copy.ts'
import { leaving } from './retention.ts'
import { lastBegun, running } from './runs.ts'
import { copyDue, drillDue, readSchedule } from './schedule.ts'
import { sourceAt } from './source.ts'
import { makeCopy } from './write-copy.ts'

/** Told when it fails, and made again at its next hour: no repeat in between. */
const LONG = { retryLimit: 0, expireInSeconds: 6 * 3600 }
const Asked = z.object({ askedBy: z.string() })
const Named = Asked.extend({ name: z.string() })

async function copyAndForget(deps: Deps, signal: AbortSignal) {
  const { manifest, content } = await makeCopy(deps, signal)
  const place = placeOf(deps.config)
  const kept = (await listCopies(place)).map((sheet) => sheet.manifest)
  for (const name of leaving(kept, await readSchedule(deps.db))) await removeCopy(place, name)
  return { copy: manifest.name, rows: rowsOf(manifest), bytes: content.bytes }
}

async function verifyNamed(deps: Deps, name: string) {
  const manifest = await verifyCopy(sourceAt(placeOf(deps.config), name), keyOf(deps.config))
  return { copy: name, rows: rowsOf(manifest), bytes: 0 }
}

/** What its hour has come for. Without a key there is nothing to begin: the screen says so, every hour would not help. */
async function beginDue(deps: Deps) {
  if (!deps.config.backupKey) return
  const schedule = await readSchedule(deps.db)
  const now = new Date()
  const askedBy = 'Voisol'
  await transaction(deps.db, async (tx) => {
    if (copyDue(schedule, await lastBegun(tx, 'copy'), now))
      await enqueue(tx, 'copies.make', { askedBy }, { once: 'copy' })
    else if (drillDue(schedule, await lastBegun(tx, 'drill'), now)) {
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
    run: (deps, { askedBy }, { signal }) => running(deps, { kind: 'copy', askedBy }, () => copyAndForget(deps, signal)),
  }),
  'copies.verify': job({
    input: Named,
    policy: LONG,
    run: (deps, { askedBy, name }) =>
      running(deps, { kind: 'verify', copy: name, askedBy }, () => verifyNamed(deps, name)),
  }),
  'copies.drill': job({
    input: Named,
    policy: LONG,
    run: (deps, { askedBy, name }) =>
      running(deps, { kind: 'drill', copy: name, askedBy }, () => drillCopy(deps, name)),
  }),
}
