import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { enqueueTestJob, listJobStates, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { type Db, transaction } from '../db/client.ts'
import { defineJob } from './job.ts'
import { stopQueue } from './queue.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})
const add = (tx: Db, name: string, once = 'a') => enqueueTestJob(tx, name, { once })
const states = async (name: string) => (await listJobStates(server, name)).join(' ')

describe('a job that follows another', () => {
  test('waits alone behind the running one of its key; other keys do not wait', async () => {
    const finish: (() => void)[] = []
    const run = () => new Promise<void>((resolve) => finish.push(resolve))
    await start({ turns: defineJob({ input, follows: true, parallel: 4, run }) })
    expect(await add(server.db, 'turns')).toBe(true)
    await waitUntil(() => finish.length === 1)
    expect([await add(server.db, 'turns'), await add(server.db, 'turns')]).toEqual([true, false])
    expect(await add(server.db, 'turns', 'b')).toBe(true)
    await waitUntil(() => finish.length === 2)
    expect(await states('turns')).toBe('active created active')
    finish[0]?.()
    await waitUntil(() => finish.length === 3)
    for (const done of finish) done()
    await waitUntil(async () => (await states('turns')) === 'completed completed completed')
  })

  test('does not start before the transaction that relies on it has ended', async () => {
    const seen: number[] = []
    const look = async () => {
      const { rows } = await server.db.execute<{ n: number }>(sql`select n from written order by n`)
      seen.push(rows.length)
    }
    await server.asOwner('create table written (n int)')
    await start({ looks: defineJob({ input, follows: true, run: look }) }, false)
    await add(server.db, 'looks')
    await transaction(server.db, async (tx) => {
      await tx.execute(sql`insert into written values (7)`)
      expect(await add(tx, 'looks')).toBe(false)
      await start({
        looks: defineJob({ input, follows: true, run: look }),
        other: defineJob({ input, run: async () => {} }),
      })
      await add(server.db, 'other')
      await waitUntil(async () => (await states('other')) === 'completed')
      expect([seen, await states('looks')]).toEqual([[], 'created'])
    })
    await waitUntil(() => seen.length > 0)
    expect(seen).toEqual([1])
  })

  test('works in a database whose queue did not have this policy yet', async () => {
    const run = async () => {}
    await stopQueue(await start({ older: defineJob({ input, run }) }, false))
    const policy = async () =>
      (await server.db.execute<{ policy: string }>(sql`select policy from jobs.queue where name = 'older'`)).rows[0]
    expect(await policy()).toEqual({ policy: 'exclusive' })
    const finish: (() => void)[] = []
    const wait = () => new Promise<void>((resolve) => finish.push(resolve))
    await start({ older: defineJob({ input, follows: true, run: wait }) })
    expect(await policy()).toEqual({ policy: 'short' })
    await add(server.db, 'older')
    await waitUntil(() => finish.length === 1)
    expect(await add(server.db, 'older')).toBe(true)
    finish[0]?.()
    await waitUntil(() => finish.length === 2)
    finish[1]?.()
  })
})
