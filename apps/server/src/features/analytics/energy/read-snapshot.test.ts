import { energy } from '@voisol/contract/energy'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { transaction } from '../../../db/client.ts'

const server = useServer()
const PERIOD = { from: '2025-05-03', to: '2025-05-06' }
const TABLES = ['allocation_days', 'allocation_totals']
let here: Awaited<ReturnType<typeof makeOperationFixture>>
let runs: string[]
beforeAll(async () => {
  here = await makeOperationFixture(server, { ...PERIOD, producers: [1_009], consumers: [503, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const provisional = await runAllocation(server, here, { ...PERIOD, kind: 'provisional' })
  const definitive = await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })
  runs = [definitive.id, provisional.id]
  for (const table of TABLES)
    await server.asOwner(
      `create table kept_${table} as select * from ${table}; grant select on kept_${table} to public`,
    )
})

const isWaiting = async () => {
  const { rows } = await server.db.execute(sql`
    select 1 from pg_locks where not granted and relation::regclass::text = any(${sql.param(TABLES)}::text[])`)
  return rows.length > 0
}

/** Puts the other run in force and deletes the first one's rows, between the two queries of a request. */
async function askWhileRunsChange<T>(ask: () => Promise<T>): Promise<T> {
  runs.reverse()
  // Current rollups are consistent by themselves, so they are marked outdated to read the runs.
  await server.db.execute(sql`insert into sum_marks (company_id, operation_ids, starts_on)
    values (${here.companyId}, array[${here.operation.id}::uuid], ${PERIOD.from})`)
  let answer: Promise<T> | undefined
  await transaction(server.db, async (tx) => {
    await tx.execute(sql.raw(`lock table ${TABLES} in access exclusive mode`))
    answer = ask()
    await waitUntil(isWaiting)
    for (const table of TABLES) {
      await tx.execute(sql.raw(`delete from ${table} where company_id = ${here.companyId}`))
      await tx.execute(
        sql.raw(`insert into ${table} select * from kept_${table} where run_id = '${runs[0]}' returning 1`),
      )
    }
    await tx.execute(sql`update allocation_coverage set run_id = ${runs[0]} where company_id = ${here.companyId}`)
  })
  if (!answer) throw new Error('nothing was asked')
  return answer
}

const query = () => ({ ...PERIOD, operationId: here.operation.id })
const asks = {
  summary: async () => (await call(server, energy.summary, { query: query() }, here)).body.current.shared,
  operations: async () => (await call(server, energy.operations, { query: PERIOD }, here)).body.total.shared,
  producers: async () => (await call(server, energy.producers, { query: query() }, here)).body.items[0]?.shared,
  flow: async () => (await call(server, energy.flow, { query: query() }, here)).body.producers[0]?.wh,
  series: async () =>
    (await call(server, energy.series, { query: { ...query(), granularity: 'day' } }, here)).body.shared[0] * 3,
}

test.each(Object.entries(asks))('%s: reads the run in force and its results at one moment', async (_, ask) => {
  const before = await ask()
  expect(before).toBeGreaterThan(0)
  expect(await askWhileRunsChange(ask)).toBe(before)
  expect(await ask()).toBe(before)
})
