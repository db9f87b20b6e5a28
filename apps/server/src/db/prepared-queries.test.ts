import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openDatabase, type PoolerMode, queryPrepared, transaction } from './client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase(inject('postgres'))
})
afterAll(() => database.drop())

test.each<[PoolerMode, number]>([
  ['none', 1],
  ['transaction', 0],
])('with pooler %s a connection prepares %i statement', async (pooler, remembered) => {
  const db = openDatabase(database.url, 1, { pooler })
  const one = (tx: typeof db) => queryPrepared<{ one: number }>(tx, 'one', 'select $1::int as one', [1])
  expect((await one(db)).rows).toEqual([{ one: 1 }])
  await transaction(db, (tx) => one(tx as typeof db)) // the query API is the same
  const { rows } = await db.$client.query('select name from pg_prepared_statements')
  expect(rows.length).toBe(remembered)
  await db.$client.end()
})
