import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../src/db/client.ts'
import { companies, operations } from '../src/db/schema/index.ts'
import type { Deps } from '../src/deps.ts'
import { getOrCreateCredential } from '../src/features/enedis/credentials/credentials.ts'
import { runSyncOfCredential } from '../src/features/enedis/sync/run-sync.ts'
import { startSyncTask } from '../src/features/enedis/sync/start-task.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { getToday } from '../src/today.ts'
import { startTestSimulator } from '../test/enedis-simulator.ts'
import { createBench } from './bench-installation.ts'
import { pickSize } from './measure.ts'

const POINTS = pickSize(100, 2)
const DAYS = pickSize(365, 3)
const GOAL_SECONDS = 60

/** An operation of a hundred meters that take part since the first day. */
async function makeOperation(db: Db, from: string) {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  const companyId = company?.id ?? 0
  const [operation] = await db
    .insert(operations)
    .values({ companyId, name: 'Cent points', status: 'active' })
    .returning()
  const { rows } = await db.execute<{ prm: string }>(sql`
    with made as (
      insert into points (company_id, prm, direction, segment)
      select ${companyId}, (40000000000000 + n)::text, 'consumption', 'C5' from generate_series(1, ${POINTS}) n
      returning id, prm),
    people as (
      insert into participants (company_id, id, kind, name) select ${companyId}, id, 'person', prm from made)
    select id, prm from made`)
  await db.execute(sql`
    insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
    select ${companyId}, ${operation?.id}, id, id, ${from} from points where company_id = ${companyId}`)
  return { companyId, operationId: operation?.id ?? '', prms: rows.map(({ prm }) => prm) }
}

async function backfill(deps: Deps, companyId: number, operationId: string, from: string, to: string) {
  const taskId = await transaction(deps.db, (tx) =>
    startSyncTask(tx, deps, {
      companyId,
      operationId,
      kind: 'load-curve',
      pointIds: [],
      from,
      to,
      trigger: 'backfill',
      createdBy: null,
    }),
  )
  const { id: credentialId } = await getOrCreateCredential(deps.db, deps, companyId, operationId)
  const begun = performance.now()
  await runSyncOfCredential(deps, { companyId, credentialId })
  const seconds = (performance.now() - begun) / 1000
  const { rows } = await deps.db.execute<{ counts: Record<string, number>; status: string }>(
    sql`select counts, status from sync_tasks where company_id = ${companyId} and id = ${taskId}`,
  )
  return { seconds, counts: rows[0]?.counts ?? {}, status: rows[0]?.status }
}

const number = (value: number, digits = 0) =>
  new Intl.NumberFormat('fr-FR', { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)

const sandbox = await startTestSimulator()
const settings = { SMTP_URL: 'smtp://127.0.0.1:1', ENEDIS_QUOTAS: 'off', ENEDIS_SANDBOX_URL: sandbox.url }
const { closers, open } = createBench(settings)
try {
  closers.add(sandbox.stop)
  const { deps, url } = await open()
  const queue = await startQueue(deps, url, jobs, false)
  closers.add(() => stopQueue(queue))
  // Yesterday's curves are not published before the morning.
  const to = addDays(getToday(), -1)
  const from = addDays(to, -DAYS)
  const { companyId, operationId, prms } = await makeOperation(deps.db, from)
  await sandbox.control(
    'PUT',
    'points',
    prms.map((prm) => ({ prm, direction: 'consumption', from })),
  )
  const { seconds, counts, status } = await backfill(deps, companyId, operationId, from, to)
  if (status !== 'succeeded' || counts.newDays !== POINTS * DAYS) throw new Error(`${status} ${JSON.stringify(counts)}`)
  show(
    `${POINTS} points sur ${DAYS} jours, depuis le bac à sable`,
    `${number(seconds, 1)} s`,
    `${GOAL_SECONDS} s au plus`,
  )
  show('appels', `${number((counts.calls ?? 0) / seconds)}/s`)
  show('relevés enregistrés', `${number((counts.readings ?? 0) / seconds)}/s`)
  const again = await backfill(deps, companyId, operationId, from, to)
  show('les mêmes une seconde fois, rien de nouveau', `${number(again.seconds, 1)} s`)
  if (again.counts.sameDays !== POINTS * DAYS) throw new Error(JSON.stringify(again.counts))
} finally {
  await closers.close()
}
