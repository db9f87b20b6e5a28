import { addMonths, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../src/core/readings.ts'
import { type Db, transaction } from '../src/db/client.ts'
import { companies, operations } from '../src/db/schema/index.ts'
import type { Deps } from '../src/deps.ts'
import { findAllocationRun, insertRun } from '../src/features/energy/allocation/allocation-runs.ts'
import { executeRun } from '../src/features/energy/allocation/execute-run.ts'
import { createFirstKey } from '../src/features/energy/allocation-keys/create-key.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store-readings.ts'
import { createBench } from './bench-installation.ts'
import { findPostmaster, measureCpu, pickSize } from './measure.ts'

const FROM = '2025-06-01'
/** Points of the operation, and how long a run of a month may take, in ms. */
const SIZES: [number, number][] = pickSize(
  [
    [500, 5000],
    [2000, 10_000],
  ],
  [[8, 5000]],
)
const PRODUCERS = 4
const ROUNDS = pickSize(3, 1)

async function makeOperation(db: Db, count: number) {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const companyId = company.id
  const [operation] = await db.insert(operations).values({ companyId, name: 'Mesure', status: 'active' }).returning()
  if (!operation) throw new Error('no operation to measure with')
  const { rows } = await db.execute<{ id: string; direction: string }>(sql`
    with holder as (
      insert into participants (company_id, kind, name) values (${companyId}, 'organisation', 'Mesure') returning id),
    point as (
      insert into points (company_id, prm, direction, segment)
      select ${companyId}, lpad(n::text, 14, '10000000000000'), case when n > ${count - PRODUCERS}::int then 'production' else 'consumption' end, 'C5'
        from generate_series(1, ${count}::int) n returning id, direction),
    part as (
      insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
      select ${companyId}, ${operation.id}, holder.id, point.id, date '2025-01-01' from holder, point)
    select id, direction from point`)
  return { companyId, operationId: operation.id, points: rows }
}
type Operation = Awaited<ReturnType<typeof makeOperation>>

const makeRows = ({ points }: Operation, to: string): PointDayReadings[] =>
  points.flatMap(({ id: pointId, direction }, p) =>
    listDays(FROM, to).map((day, d) => {
      const watts = Int32Array.from({ length: stepsOfDay(day, 15) }, (_, at) =>
        direction === 'production'
          ? Math.max(0, 120_000 - (at - 48) ** 2 * 120 - d * 900)
          : (p * 7919 + d * 104_729 + at * 31) % 1800,
      )
      return { pointId, day, step: 15, watts, marks: null, quality: 1 }
    }),
  )

const number = (value: number) => new Intl.NumberFormat('fr-FR').format(Math.round(value))
const show = (name: string, value: string, goal = '') =>
  console.log(`  ${name.padEnd(52)}${value.padStart(14)}${goal && `  (objectif : ${goal})`}`)

/** The longest time during which nothing else in the process had its turn. */
function watchLoop() {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5)
    last = performance.now()
  }, 5)
  return () => {
    clearInterval(timer)
    return longest
  }
}

async function measure(deps: Deps, count: number, goal: number) {
  const operation = await makeOperation(deps.db, count)
  const { companyId, operationId } = operation
  const to = addMonths(FROM, 1)
  await storeReadingsAndNotify(deps.db, companyId, makeRows(operation, to), { source: 'model', receivedAt: new Date() })
  const actor = { companyId } as never // all that it reads of the actor
  await transaction(deps.db, (tx) =>
    createFirstKey(tx, actor, operationId, { method: 'default', startsOn: FROM, shares: [] }),
  )
  const postmaster = await findPostmaster(deps.db)
  const wanted = { companyId, operationId, from: FROM, to, kind: 'provisional', estimated: false } as const
  let best = { time: Number.POSITIVE_INFINITY, longest: 0, work: 0 }
  const hashes = new Set<string | null | undefined>()
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await insertRun(deps.db, wanted, null)
    const stop = watchLoop()
    const before = process.cpuUsage()
    const from = performance.now()
    const { postgres } = await measureCpu(postmaster, () => executeRun(deps, { companyId, runId: id }))
    const time = performance.now() - from
    const { user, system } = process.cpuUsage(before)
    const longest = stop()
    hashes.add((await findAllocationRun(deps.db, companyId, id))?.resultHash)
    if (time < best.time) best = { time, longest, work: (user + system) / 1000 + postgres }
  }
  if (hashes.size !== 1 || hashes.has(null)) throw new Error('the runs do not agree')
  show(
    `clôture d’un mois, ${number(count)} points dont ${PRODUCERS} producteurs`,
    `${number(best.time)} ms`,
    `${number(goal)} ms`,
  )
  show('processeur du serveur, fils compris, et de PostgreSQL', `${number(best.work)} ms`)
  show('plus longue attente d’une requête pendant le calcul', `${number(best.longest)} ms`)
}

const { closers, open } = createBench()
try {
  const { deps } = await open()
  for (const [count, goal] of SIZES) await measure(deps, count, goal)
} finally {
  await closers.close()
}
