import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { z } from 'zod'
import { addJob, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/wait.ts'
import { job } from './job.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})

/** `npm run test:all` waits them out. */
const letSecondsPass = (seconds: number) =>
  server.db.execute(sql`update jobs.job set heartbeat_on = heartbeat_on - make_interval(secs => ${seconds})
    where name = 'orphan' and state = 'active'`)

test('the job of a killed worker runs again within a minute', { timeout: 90_000 }, async () => {
  await start({ orphan: job({ input, run: async () => {} }) }, false)
  await addJob(server.db, 'orphan')
  const victim = spawn(process.execPath, [join(import.meta.dirname, '../../test/victim.ts'), server.url])
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  if (!process.env.TEST_ALL) await letSecondsPass(20)
  let runs = 0
  await start({ orphan: job({ input, run: async () => void runs++ }) })
  await until(() => runs === 1, 60_000)
})
