import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listJobStates, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { type Db, transaction } from '../db/client.ts'
import type { JobName } from './job.ts'
import { defineJob } from './job.ts'
import { enqueue } from './queue.ts'

const MANY = process.env.TEST_ALL ? 10_000 : 500
const COMPANIES = 200

const server = useServer()
const start = useQueues(server)
const row = defineJob({ input: z.object({ companyId: z.number(), n: z.number() }), run: async () => {} })

/** A queue without workers, and the record of who would be served. */
async function open(name: string) {
  const queue = await start({ [name]: row }, false)
  let n = 0
  const send = (tx: Db, companyId: number, options: { after?: number } = {}) =>
    enqueue(tx, name as JobName, { companyId, n: n++ } as never, options) // a job that exists only in this test
  const sendAll = (companyId: number, many: number) =>
    transaction(server.db, async (tx) => {
      for (let count = 0; count < many; count++) await send(tx, companyId)
    })
  const serve = async (many: number) => {
    const ledger: { companyId: number; n: number }[] = []
    for (let count = 0; count < many; count++) {
      const [next] = await queue.fetch<{ companyId: number; n: number }>(name)
      if (next) ledger.push(next.data)
    }
    return ledger
  }
  return { send, sendAll, serve }
}

test(`one company with ${MANY} jobs does not make ${COMPANIES} others wait`, async () => {
  const { send, sendAll, serve } = await open('crowded')
  await sendAll(1, MANY)
  const begun = await serve(3)
  expect(begun.map(({ companyId }) => companyId)).toEqual([1, 1, 1])
  await transaction(server.db, async (tx) => {
    for (let other = 2; other < 2 + COMPANIES; other++) await send(tx, other)
  })
  const ledger = await serve(COMPANIES + 1)
  const others = ledger.filter(({ companyId }) => companyId !== 1)
  expect(new Set(others.map(({ companyId }) => companyId)).size).toBe(COMPANIES)
  expect((await serve(2)).map(({ companyId }) => companyId)).toEqual([1, 1])
}, 600_000)

test('two companies with many jobs alternate, each in its own order', async () => {
  const { sendAll, serve } = await open('two')
  await sendAll(1, 30)
  await sendAll(2, 10)
  const ledger = await serve(40)
  for (let pair = 0; pair < 10; pair++)
    expect(new Set(ledger.slice(2 * pair, 2 * pair + 2).map(({ companyId }) => companyId)).size).toBe(2)
  for (const one of [1, 2]) {
    const own = ledger.filter(({ companyId }) => companyId === one).map(({ n }) => n)
    expect(own).toEqual(own.toSorted((a, b) => a - b))
  }
})

test('a company that waits long is not overtaken forever by new jobs', async () => {
  const { send, sendAll, serve } = await open('steady')
  await sendAll(1, 20)
  const served: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    for (const other of [2, 3]) await send(server.db, other)
    served.push(...(await serve(2)).map(({ companyId }) => companyId))
  }
  expect(served.filter((id) => id === 1).length).toBeGreaterThanOrEqual(10)
})

test('a company that sends again at once does not overtake those that wait', async () => {
  const { send, sendAll, serve } = await open('returning')
  await sendAll(1, 10)
  const served: number[] = []
  for (let turn = 0; turn < 10; turn++) {
    await send(server.db, 2)
    do served.push(...(await serve(1)).map(({ companyId }) => companyId))
    while (served.at(-1) === 1)
  }
  expect(served.filter((id) => id === 1)).toHaveLength(10)
})

test('delayed jobs are not in the order, and an empty queue starts again', async () => {
  const { send, serve } = await open('later')
  for (let count = 0; count < 5; count++) await send(server.db, 1, { after: 3600 })
  await send(server.db, 2)
  await send(server.db, 2)
  await send(server.db, 1)
  expect((await serve(3)).map(({ companyId }) => companyId)).toEqual([2, 1, 2])
  await send(server.db, 2)
  const { rows } = await server.db.execute(
    sql`select priority from jobs.job where name = 'later' and state = 'created' and start_after <= now()`,
  )
  expect(rows).toEqual([{ priority: 0 }])
})

test('a company with long jobs does not use every slot: another is served meanwhile', async () => {
  const [started, finish]: [number[], (() => void)[]] = [[], []]
  const long = defineJob({
    input: z.object({ companyId: z.number() }),
    parallel: 2,
    run: async (_, { companyId }) => {
      started.push(companyId)
      await new Promise<void>((resolve) => finish.push(resolve))
    },
  })
  await start({ long })
  const send = (companyId: number) => enqueue(server.db, 'long' as JobName, { companyId } as never) // only this test has it
  for (let count = 0; count < 5; count++) await send(1)
  await waitUntil(() => started.length === 2)
  await send(2)
  await waitUntil(() => started.includes(2))
  expect(started).toEqual([1, 1, 2])
  // A finished job frees a slot for its own company, and all are served in the end.
  const release = setInterval(() => finish.shift()?.(), 10)
  await waitUntil(async () => (await listJobStates(server, 'long')).every((state) => state === 'completed'))
  clearInterval(release)
  expect(started.length).toBe(6)
})

test('the jobs of a company are found by an index', async () => {
  const { rows } = await server.db.execute<{ def: string }>(
    sql`select indexdef as def from pg_indexes where schemaname = 'jobs' and indexname = 'voisol_turns'`,
  )
  expect(rows[0]?.def).toContain('job_common')
})
