import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { enqueueTestJob, listJobStates, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { defineJob, PermanentJobError } from './job.ts'
import { DEAD_LETTER, openQueue, startWorkers, stopQueue } from './queue.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})
const states = (name: string) => listJobStates(server, name)

describe('sending jobs', () => {
  test('commits and rolls back with the caller’s transaction', async () => {
    let runs = 0
    const run = async () => void runs++
    await start({ together: defineJob({ input, run }) })
    const failing = transaction(server.db, async (tx) => {
      await enqueueTestJob(tx, 'together')
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await transaction(server.db, async (tx) => {
      await enqueueTestJob(tx, 'together')
      expect(await states('together')).toEqual([])
    })
    await waitUntil(async () => (await states('together'))[0] === 'completed')
    expect(runs).toBe(1)
  })

  test('`once` keeps a single waiting or running job per key, then accepts the next', async () => {
    const finish: (() => void)[] = []
    const run = () => new Promise<void>((resolve) => finish.push(resolve))
    await start({ single: defineJob({ input, parallel: 3, run }) })
    expect(await enqueueTestJob(server.db, 'single', { once: 'a' })).toBe(true)
    expect(await enqueueTestJob(server.db, 'single', { once: 'a' })).toBe(false)
    expect(await enqueueTestJob(server.db, 'single', { once: 'b' })).toBe(true)
    await waitUntil(() => finish.length === 2)
    expect(await enqueueTestJob(server.db, 'single', { once: 'a' })).toBe(false)
    for (const done of finish) done()
    await waitUntil(async () => (await states('single')).every((state) => state === 'completed'))
    expect(await enqueueTestJob(server.db, 'single', { once: 'a' })).toBe(true)
    await waitUntil(() => finish.length === 3)
    finish[2]?.()
  })

  test('start jobs wait in the queue until workers begin, with few connections', async () => {
    let runs = 0
    const run = async () => void runs++
    const rest = Array.from(
      { length: 40 },
      (_, n) => [`later-${n}`, defineJob({ input, run: async () => {} })] as const,
    )
    const jobs = { first: defineJob({ input, atStart: true, run }), ...Object.fromEntries(rest) }
    const queue = await openQueue(server.deps, server.url, jobs, true)
    try {
      expect([await states('first'), runs]).toEqual([['created'], 0])
      await startWorkers(queue, server.deps)
      await waitUntil(() => runs === 1)
    } finally {
      await stopQueue(queue)
    }
  })

  test('a job that runs at once may send another while the queue still opens', async () => {
    const run = async () => void (await enqueueTestJob(server.db, 'sent'))
    // The test server has a queue already: this one begins without, as a new process does.
    for (const { $jobs } of [server.deps.db, server.deps.aside]) $jobs.queue = undefined
    const daily = defineJob({ input, cron: '0 3 * * *', run: async () => {} })
    const rest = Array.from({ length: 40 }, (_, n) => [`rest-${n}`, daily] as const)
    await start({
      sender: defineJob({ input, atStart: true, run }),
      sent: defineJob({ input, run: async () => {} }),
      ...Object.fromEntries(rest),
    })
    await waitUntil(async () => (await states('sent'))[0] === 'completed')
    const { rows } = await server.db.execute(sql`select retry_count from jobs.job where name = 'sender'`)
    expect(rows).toEqual([{ retry_count: 0 }])
  })

  test('twenty sends with the same id are one job', async () => {
    await start({ named: defineJob({ input, run: async () => {} }) })
    const id = crypto.randomUUID()
    const added = await Promise.all(Array.from({ length: 20 }, () => enqueueTestJob(server.db, 'named', { id })))
    expect(added.filter(Boolean)).toHaveLength(1)
  })

  test('a process without workers only sends; a later worker does the work', async () => {
    let runs = 0
    const row = defineJob({ input, run: async () => void runs++ })
    await start({ later: row }, false)
    await enqueueTestJob(server.db, 'later')
    await start({ sooner: defineJob({ input, run: async () => {} }) })
    await enqueueTestJob(server.db, 'sooner')
    await waitUntil(async () => (await states('sooner'))[0] === 'completed')
    expect([runs, await states('later')]).toEqual([0, ['created']])
    await start({ later: row })
    await waitUntil(() => runs === 1)
  })
})

test('a start keeps correct queue settings, and updates others', async () => {
  const jobs = (retryLimit: number) => ({ settled: defineJob({ input, policy: { retryLimit }, run: async () => {} }) })
  const stands = async () => {
    const found = sql`select retry_limit as limit, updated_on::text as at from jobs.queue where name = 'settled'`
    return (await server.db.execute(found)).rows[0]
  }
  await start(jobs(3), false)
  const first = await stands()
  expect(first).toMatchObject({ limit: 3 })
  await start(jobs(3), false)
  expect(await stands()).toEqual(first)
  await start(jobs(4), false)
  expect(await stands()).toMatchObject({ limit: 4 })
})

describe('failing jobs', () => {
  test('a job is retried, then becomes a dead letter', async () => {
    const ids: string[] = []
    const policy = { retryLimit: 2, retryDelay: 1 }
    const run = async (_: unknown, __: unknown, { id }: { id: string }) => {
      ids.push(id)
      throw new Error('broken')
    }
    const queue = await start({ unlucky: defineJob({ input, policy, run }) })
    await enqueueTestJob(server.db, 'unlucky')
    const [dead] = await waitUntil(async () => {
      const found = await queue.findJobs(DEAD_LETTER)
      return found.some(({ sourceName }) => sourceName === 'unlucky') && found
    })
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
    expect(dead?.sourceOutput).toMatchObject({ message: 'broken' })
  })

  test('a deadlock is retried at once', async () => {
    let runs = 0
    const run = async () => {
      if (runs++ === 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    }
    await start({ yielding: defineJob({ input, run }) })
    await enqueueTestJob(server.db, 'yielding')
    await waitUntil(async () => (await states('yielding'))[0] === 'completed')
    const { rows } = await server.db.execute(sql`select retry_count from jobs.job where name = 'yielding'`)
    expect([runs, rows]).toEqual([2, [{ retry_count: 0 }]])
  })

  test('a permanent error and an invalid input are not retried', async () => {
    let runs = 0
    const hopeless = async () => {
      runs++
      throw new PermanentJobError('never')
    }
    const queue = await start({
      hopeless: defineJob({ input, run: hopeless }),
      misfed: defineJob({ input: z.object({ n: z.number() }), run: hopeless }),
    })
    await enqueueTestJob(server.db, 'hopeless')
    await enqueueTestJob(server.db, 'misfed')
    await waitUntil(async () => {
      const sources = (await queue.findJobs(DEAD_LETTER)).map(({ sourceName }) => sourceName)
      return sources.includes('hopeless') && sources.includes('misfed')
    })
    expect(runs).toBe(1)
  })

  test('a failing job does not block the others', async () => {
    const seen: number[] = []
    const run = async (_: unknown, { n }: { n: number }) => {
      if (n === 0) throw new Error('bad one')
      seen.push(n)
    }
    const queue = await start({ mixed: defineJob({ input: z.object({ n: z.number() }), run }) })
    for (const n of [0, 1, 2, 3]) await queue.send('mixed', { n }, { singletonKey: String(n) })
    await waitUntil(() => seen.length === 3)
  })
})

describe('schedule', () => {
  test('scheduled jobs are registered in Paris time, and removed ones are unregistered', async () => {
    await server.queue.createQueue('gone')
    await server.queue.schedule('gone', '0 0 * * *')
    const run = async () => {}
    const queue = await start({
      nightly: defineJob({ input, cron: '30 2 * * *', run }),
      tidy: defineJob({ input, cron: '17 3 * * *', run }),
    })
    const rows = await queue.getSchedules()
    expect(rows.map(({ name }) => name).sort()).toEqual(['nightly', 'tidy'])
    expect(rows.every(({ timezone }) => timezone === 'Europe/Paris')).toBe(true)
  })

  test('a worker sends its heartbeat as soon as it starts', async () => {
    const { rows } = await waitUntil(async () => {
      const found = await server.db.execute(sql`select ok from status_samples where component = 'jobs'`)
      return found.rows.length > 0 && found
    })
    expect(rows[0]).toEqual({ ok: true })
  })
})

describe('stopping', () => {
  test('lets the running job end and takes no other', async () => {
    const finish: (() => void)[] = []
    let ended = 0
    const run = async () => {
      await new Promise<void>((resolve) => finish.push(resolve))
      ended++
    }
    const queue = await start({ slow: defineJob({ input, run }) })
    await enqueueTestJob(server.db, 'slow')
    await waitUntil(() => finish.length === 1)
    let stopped = false
    const stopping = stopQueue(queue).then(() => (stopped = true))
    await queue.send('slow', {}, { singletonKey: 'next' })
    expect([stopped, ended]).toEqual([false, 0])
    finish[0]?.()
    await stopping
    expect([finish.length, ended]).toEqual([1, 1])
    expect((await states('slow')).sort()).toEqual(['completed', 'created'])
  })

  test('interrupts a job that allows it, which the next worker completes', async () => {
    let begun = 0
    let done = 0
    const wait = (signal: AbortSignal) => new Promise((_, reject) => signal.addEventListener('abort', reject))
    const run = async (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
      begun++
      if (begun === 1) await wait(signal)
      done++
    }
    const row = defineJob({ input, stopsAtOnce: true, policy: { retryDelay: 1 }, run })
    const queue = await start({ patient: row })
    await enqueueTestJob(server.db, 'patient')
    await waitUntil(() => begun === 1)
    await stopQueue(queue)
    await start({ patient: row })
    await waitUntil(() => done === 1)
  })

  test('connections closed by the database are reopened', async () => {
    let runs = 0
    await start({ stubborn: defineJob({ input, run: async () => void runs++ }) })
    await server.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'voisol-jobs'`)
    await waitUntil(() => enqueueTestJob(server.db, 'stubborn').catch(() => false))
    await waitUntil(() => runs === 1)
  })
})

test('a job that is not one of MAIL_JOBS cannot send a message, and says so', async () => {
  const mail = { id: 'hors-liste', to: 'c@exemple.fr', subject: 'Hors liste', text: 'Bonjour', html: '<p>Bonjour</p>' }
  await start({ unlisted: defineJob({ input, run: ({ mailer }) => mailer.send(mail) }) })
  await enqueueTestJob(server.db, 'unlisted')
  const dead = await waitUntil(async () =>
    (await server.queue.findJobs(DEAD_LETTER)).find(({ sourceName }) => sourceName === 'unlisted'),
  )
  expect(JSON.stringify(dead)).toContain('the job unlisted sends mail and is not one of MAIL_JOBS')
  expect(await server.catcher.messages()).toEqual([])
})
