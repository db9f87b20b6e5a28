import { companies } from '@voisol/contract/companies'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../test/client.ts'
import { makeUser } from '../../test/factories.ts'
import { useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { transaction } from '../db/client.ts'
import { createLogger } from '../http/logging.ts'
import { defineJob } from '../jobs/job.ts'
import { createSlowQueryLog } from './slow-log.ts'

type Line = { msg: string; ms: number; statement: string } & Record<string, unknown>
const lines: Line[] = []
const log = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) })
const server = useServer({ SLOW_QUERY_MS: '5' }, log)
const start = useQueues(server)
const slow = (part: string) => lines.find(({ msg, statement }) => msg === 'slow query' && statement.includes(part))
beforeEach(() => void lines.splice(0))

test('a call with a slow statement is logged with its company and without values', async () => {
  const admin = await makeUser(server.db)
  const body = { name: 'Soleil secret', legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }
  const answer = await transaction(server.db, async (tx) => {
    await tx.execute(sql`select 1 from companies where id = ${admin.companyId} for update`)
    const saving = call(server, companies.update, { params: { companyId: admin.companyId }, body }, admin)
    // When the lock is on another machine, this one waits for its answer.
    await waitUntil(async () => {
      const { rowCount } = await server.deps.aside.execute(sql`select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event_type in ('Lock', 'Extension')
          and clock_timestamp() - query_start > '10 ms'`)
      return rowCount === 1
    })
    return { saving }
  })
  expect((await answer.saving).status).toBe(200)
  const line = slow('from "companies"')
  expect(line).toMatchObject({ endpoint: 'PATCH /api/companies/:companyId', companyId: admin.companyId, rows: 1 })
  expect(line?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(line?.ms).toBeGreaterThanOrEqual(10)
  expect(JSON.stringify(lines)).not.toContain('Soleil secret')
})

test('a slow job is logged with its company', async () => {
  const run = async ({ db }: { db: typeof server.db }) => void (await db.execute(sql`select pg_sleep(0.02)`))
  const queue = await start({ sleeper: defineJob({ input: z.object({ companyId: z.number() }), run }) })
  const id = await queue.send('sleeper', { companyId: 7 })
  expect(await waitUntil(() => slow('pg_sleep'))).toMatchObject({ job: 'sleeper', jobId: id, companyId: 7 })
})

test('late failures are logged with their code, and statements without a purpose too', async () => {
  const failing = server.db.execute(sql`select 1 / (length(pg_sleep(0.02)::text) + length(${'Anne'}) - 4), 'Berthe'`)
  await expect(failing).rejects.toThrow()
  const line = await waitUntil(() => slow('pg_sleep'))
  expect(line).toMatchObject({ code: '22012' })
  expect([line.requestId, line.job, JSON.stringify(line)]).toEqual([
    undefined,
    undefined,
    expect.not.stringMatching(/Anne|Berthe/),
  ])
})

test('below the limit nothing is logged, and without a limit nothing is observed', () => {
  const statement = { text: 'select 1', from: 0, rows: 1, error: undefined }
  const [heard] = createSlowQueryLog(log, 5)
  heard?.({ ...statement, ms: 4.9 }, undefined)
  expect(lines).toEqual([])
  heard?.({ ...statement, ms: 5 }, undefined)
  expect(lines).toHaveLength(1)
  expect(createSlowQueryLog(log, 0)).toEqual([])
})
