import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import { StartupError } from '../startup.ts'
import { openDatabase, transaction } from './client.ts'
import { retryOnLockTimeout } from './migrate.ts'

const server = useServer()
const read = () => server.db.execute(sql`select 1 from operations limit 1`)

test('a migration blocked by a long read lets other statements pass, and runs once it ends', async () => {
  const owner = openDatabase(server.ownerUrl, 2)
  const stepped = Promise.withResolvers<void>()
  let tries = 0
  const change = (column: string) =>
    retryOnLockTimeout(
      owner,
      async (tx) => {
        if (++tries === 2) stepped.resolve()
        await tx.execute(sql.raw(`alter table operations add column ${column} int`))
      },
      { wait: '50ms', again: 10, tries: 10_000 },
    )
  const changing = await transaction(server.db, async (tx) => {
    await tx.execute(sql`select 1 from operations limit 1`)
    const made = change('later')
    await stepped.promise
    // New reads do not wait for the long read to end.
    await read()
    return { made }
  })
  await changing.made
  expect(tries).toBeGreaterThan(1)
  expect((await server.db.execute(sql`select later from operations`)).rows).toEqual([])
  await expect(change('later')).rejects.toThrow()
  await owner.$client.end()
})

test('a migration blocked for too long fails and says so', async () => {
  const owner = openDatabase(server.ownerUrl, 2)
  const stopped = await transaction(server.db, async (tx) => {
    await tx.execute(sql`select 1 from operations limit 1`)
    const change = (db: typeof tx) => db.execute(sql`alter table operations add column never int`).then(() => {})
    return retryOnLockTimeout(owner, change, { wait: '10ms', again: 1, tries: 3 }).catch((error: unknown) => error)
  })
  expect(stopped).toBeInstanceOf(StartupError)
  await owner.$client.end()
})
