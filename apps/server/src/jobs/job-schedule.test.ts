import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { enqueueTestJob, listJobStates, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { defineJob } from './job.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})
const done = async (name: string, count: number) =>
  waitUntil(async () => (await listJobStates(server, name)).filter((state) => state === 'completed').length === count)

test('idle workers do not poll: one query a second serves all of them', async () => {
  const idle = Array.from({ length: 40 }, (_, n) => [`idle-${n}`, defineJob({ input, run: async () => {} })] as const)
  const queue = await start(Object.fromEntries(idle))
  const asked = vi.spyOn(queue.getDb(), 'executeSql')
  const texts = () => asked.mock.calls.map(([text]) => text)
  await waitUntil(() => texts().filter((text) => text.includes('start_after <= now()')).length >= 3)
  expect(texts().length).toBeLessThan(20)
})

test('jobs sent together run one after the other, without a pause', async () => {
  await start({ many: defineJob({ input, run: async () => {} }) })
  await transaction(server.db, async (tx) => {
    for (let n = 0; n < 120; n++) await enqueueTestJob(tx, 'many')
  })
  await done('many', 120)
})

test('a delayed job runs when due, without a notification', async () => {
  await start({ later: defineJob({ input, run: async () => {} }) })
  await enqueueTestJob(server.db, 'later', { after: 2 })
  expect(await listJobStates(server, 'later')).toEqual(['created'])
  await done('later', 1)
})
