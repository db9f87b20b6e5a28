import { pino } from 'pino'
import { z } from 'zod'
import { openDatabase } from '../src/db/client.ts'
import type { Deps } from '../src/deps.ts'
import { defineJob } from '../src/jobs/job.ts'
import { startQueue } from '../src/jobs/queue.ts'

/** A worker process that takes a job and never ends it, to be killed. */
const url = process.argv[2] ?? ''
const db = openDatabase(url, 2)
const deps = { db, aside: db, log: pino({ level: 'silent' }) } as unknown as Deps // what this job uses
const row = defineJob({
  input: z.object({}),
  run: () => {
    console.log('running')
    return new Promise<void>(() => {})
  },
})
await startQueue(deps, url, { orphan: row }, true)
