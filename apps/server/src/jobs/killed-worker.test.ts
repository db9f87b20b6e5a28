import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { PgBoss } from 'pg-boss'
import { test } from 'vitest'
import { z } from 'zod'
import { enqueueTestJob, useQueues } from '../../test/jobs.ts'
import { getNodeArgs } from '../../test/process.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { defineJob } from './job.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})

/** Simulates the seconds without a heartbeat, and the monitor of the queue that looks for them. */
async function backdateHeartbeat(queue: PgBoss, seconds: number) {
  const passed = sql`make_interval(secs => ${seconds})`
  await server.db.execute(sql`update jobs.job set heartbeat_on = heartbeat_on - ${passed}
    where name = 'orphan' and state = 'active'`)
  await server.db.execute(sql`update jobs.queue set monitor_on = monitor_on - ${passed},
    monitor_claim_on = monitor_claim_on - ${passed} where name = 'orphan'`)
  await queue.supervise('orphan')
}

test('runs the job of a killed worker again after twenty seconds without a heartbeat', async () => {
  await start({ orphan: defineJob({ input, run: async () => {} }) }, false)
  await enqueueTestJob(server.db, 'orphan')
  const victim = spawn(process.execPath, getNodeArgs(join(import.meta.dirname, '../../test/victim.ts'), server.url))
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  let runs = 0
  const queue = await start({ orphan: defineJob({ input, run: async () => void runs++ }) })
  await backdateHeartbeat(queue, 20)
  await waitUntil(() => runs === 1)
})
