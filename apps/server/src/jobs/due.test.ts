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

test('those who have nothing to do ask nothing: one question a second is asked for all of them', async () => {
  const idle = Array.from({ length: 40 }, (_, n) => [`idle-${n}`, defineJob({ input, run: async () => {} })] as const)
  const queue = await start(Object.fromEntries(idle))
  const asked = vi.spyOn(queue.getDb(), 'executeSql')
  const texts = () => asked.mock.calls.map(([text]) => text)
  await waitUntil(() => texts().filter((text) => text.includes('start_after <= now()')).length >= 3)
  expect(texts().length).toBeLessThan(20)
})

test('many that were sent together are done one behind the other, without a pause between them', async () => {
  await start({ many: defineJob({ input, run: async () => {} }) })
  await transaction(server.db, async (tx) => {
    for (let n = 0; n < 120; n++) await enqueueTestJob(tx, 'many')
  })
  await done('many', 120)
})

test('what was put off is done when it is due, though nobody says so', async () => {
  await start({ later: defineJob({ input, run: async () => {} }) })
  await enqueueTestJob(server.db, 'later', { after: 2 })
  expect(await listJobStates(server, 'later')).toEqual(['created'])
  await done('later', 1)
})
