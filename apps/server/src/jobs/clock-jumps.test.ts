import { expect, test } from 'vitest'
import { z } from 'zod'
import { useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { defineJob } from './job.ts'
import { createClockJumpDetector, restoreJobTimes } from './job-schedule.ts'
import { createJobDeduplicator } from './queue.ts'

const server = useServer()
const start = useQueues(server)
const row = defineJob({ input: z.object({}), cron: '*/5 * * * *', run: async () => {} })

test('a clock adjusted by the network does not jump; one that is set does, once', () => {
  let [day, steady] = [1_000_000, 0]
  const moved = createClockJumpDetector({ day: () => day, steady: () => steady })
  const pass = (ms: number, extra = 0) => {
    steady += ms
    day += ms + extra
    return moved()
  }
  expect([pass(5000), pass(5000, 200), pass(5000, -200)]).toEqual([0, 0, 0])
  expect([pass(5000, 3_600_000), pass(5000)]).toEqual([3_600_000, 0])
  expect([pass(5000, -3_600_000), pass(5000)]).toEqual([-3_600_000, 0])
})

test('after the clock is set back, pending jobs wait only as long as intended', async () => {
  const queue = await start({ idle: row, daily: { ...row, cron: '5 4 * * *' } }, false)
  for (const [name, cron] of [
    ['idle', '*/5 * * * *'],
    ['daily', '5 4 * * *'],
  ] as const)
    await queue.schedule(name, cron)
  const send = (name: string, created: string, after: string, state = 'created') =>
    server.asOwner(`insert into jobs.job (name, state, created_on, start_after, heartbeat_on, policy, singleton_on, singleton_key)
      select name, '${state}', now() + interval '${created}', now() + interval '${after}', now() + interval '${created}', policy,
             (now() + interval '${created}') at time zone 'UTC', gen_random_uuid()::text from jobs.queue where name = '${name}'`)
  await send('idle', '1 hour', '1 hour')
  await send('daily', '1 hour', '70 minutes')
  await send('idle', '-1 minute', '2 days')
  await send('idle', '1 hour', '1 hour', 'active')
  await server.asOwner(`update jobs.version set cron_on = now() + interval '1 hour'`)
  await server.asOwner(
    `update jobs.queue set monitor_claim_on = now() + interval '1 hour', maintain_on = now() + interval '1 hour'`,
  )
  expect(await restoreJobTimes(server.db)).toBeGreaterThanOrEqual(4)
  const { rows } = await server.asOwner(
    `select name, round(extract(epoch from start_after - now()) / 60)::int as minutes, singleton_on is null as again
       from jobs.job where state = 'created' order by 2`,
  )
  // Frequent jobs run again; a job with a time of day has already run today.
  expect(rows).toEqual([
    { name: 'idle', minutes: 0, again: true },
    { name: 'daily', minutes: 10, again: false },
    { name: 'idle', minutes: 2880, again: false },
  ])
  const { rows: left } = await server.asOwner(`
    select (select count(*) from jobs.job where heartbeat_on > now() and state = 'active')
         + (select count(*) from jobs.version where cron_on > now())
         + (select count(*) from jobs.queue where monitor_claim_on > now() or maintain_on > now()) as ahead`)
  expect(Number(left[0]?.ahead)).toBe(0)
  expect(await restoreJobTimes(server.db)).toBe(0)
  await server.asOwner('delete from jobs.job')
})

test('a running or just finished job handed out again is done once; a failed one is redone', async () => {
  let now = 0
  const atWork = createJobDeduplicator<{ status: string }>(() => now)
  let times = 0
  const work = (status: string) => async () => {
    times++
    await Promise.resolve()
    return { status }
  }
  const twice = await Promise.all([atWork('a', work('completed')), atWork('a', work('completed'))])
  expect([twice, times]).toEqual([[{ status: 'completed' }, { status: 'completed' }], 1])
  await atWork('a', work('completed'))
  expect(times).toBe(1)
  now = 3_600_000
  await atWork('a', work('completed'))
  expect(times).toBe(2)
  for (let n = 0; n < 2; n++) await atWork('b', work('failed'))
  expect(times).toBe(4)
  const fails = () => Promise.reject(new Error('no'))
  for (let n = 0; n < 2; n++) await expect(atWork('c', fails)).rejects.toThrow('no')
})
