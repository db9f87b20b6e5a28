import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'vitest'
import { z } from 'zod'
import { addJob, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/wait.ts'
import { job } from './job.ts'

const server = useServer()
const start = useQueues(server)
const input = z.object({})

test('the job of a killed worker runs again within a minute', { timeout: 90_000 }, async () => {
  await start({ orphan: job({ input, run: async () => {} }) }, false)
  await addJob(server.db, 'orphan')
  const victim = spawn(process.execPath, [join(import.meta.dirname, '../../test/victim.ts'), server.url])
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  let runs = 0
  await start({ orphan: job({ input, run: async () => void runs++ }) })
  await until(() => runs === 1, 60_000)
})
