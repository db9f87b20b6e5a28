import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openDatabase } from './client.ts'
import { limitPoolQueue } from './connection-pool.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase(inject('postgres'))
})
afterAll(() => database.drop())

/** Two connections, both in use, and a clock controlled by the test. */
async function makeLine() {
  const clock = { ms: 0 }
  const pool: pg.Pool = openDatabase(database.url, 2).$client
  limitPoolQueue(pool, () => clock.ms)
  const held = [await pool.connect(), await pool.connect()]
  return { clock, pool, held }
}
const release = (clients: pg.PoolClient[]) => {
  for (const client of clients) client.release()
}

test('a stalled queue takes no more waiters, keeps those in it, and opens by itself', async () => {
  const { clock, pool, held } = await makeLine()
  const first = pool.connect()
  clock.ms = 1900
  const second = pool.connect()
  clock.ms = 2100
  const refusal: unknown = await pool.connect().catch((error: unknown) => error)
  expect(refusal).toMatchObject({ message: 'the line for a connection is too long' })
  expect(isDatabaseUnavailable(refusal)).toBe(true)
  release(held)
  release([await first, await second])
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('a moving queue is as long as can be served in time', async () => {
  const { clock, pool, held } = await makeLine()
  const line = Array.from({ length: 60 }, () => pool.connect())
  const serve = async (client: pg.PoolClient | undefined) => {
    client?.release()
    return line.shift()
  }
  // One every 50 ms: the forty left take two seconds.
  let [one] = held
  for (let n = 0; n < 20; n++) {
    clock.ms += 50
    one = await serve(one)
  }
  line.push(pool.connect())
  // One every 150 ms: the twenty left would take three seconds, and sixty too long.
  for (let n = 0; n < 20; n++) {
    clock.ms += 150
    one = await serve(one)
  }
  const more = Array.from({ length: 20 }, () => pool.connect())
  const settled = await Promise.allSettled(more.map((given) => Promise.race([given, undefined])))
  expect(settled.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5)
  expect(settled[0]?.status).toBe('fulfilled')
  for (const client of [one, held[1]]) client?.release()
  for (const given of [...line, ...more]) (await given.catch(() => undefined))?.release()
  await pool.end()
})

test('a caller that finds a free connection does not queue, however long nobody came', async () => {
  const { clock, pool, held } = await makeLine()
  release(held)
  clock.ms = 3_600_000
  expect((await Promise.all([1, 2, 3, 4].map(() => pool.query('select 1')))).length).toBe(4)
  await pool.end()
})
