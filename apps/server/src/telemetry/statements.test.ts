import Fastify from 'fastify'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { afterEach, expect, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import { registerPurposes } from './requests.ts'
import { observeStatements } from './statements.ts'

const server = useServer()
const recordedStatements: { text: string; endpoint: string | undefined; error: unknown }[] = []
const openedPools: pg.Pool[] = []
afterEach(async () => {
  recordedStatements.splice(0)
  for (const pool of openedPools.splice(0)) await pool.end()
})

function open(max: number) {
  const pool = new pg.Pool({ connectionString: server.url, max })
  openedPools.push(pool)
  const hear = ({ text, error }: { text: string; error: unknown }, purpose?: { endpoint?: string }) =>
    void recordedStatements.push({ text, endpoint: purpose?.endpoint, error })
  observeStatements(pool, [hear])
  return pool
}

test('calls waiting for the same connection are not confused', async () => {
  const pool = open(1)
  const app = Fastify()
  app.decorate('deps', server.deps)
  app.decorateRequest('actor', undefined)
  registerPurposes(app)
  for (const name of ['a', 'b', 'c'])
    app.post(`/${name}`, async () => (await pool.query('select $1::text as name', [name])).rows[0])
  const ask = (name: string) => app.inject({ method: 'POST', url: `/${name}`, payload: { many: 'x'.repeat(100_000) } })
  const answers = await Promise.all(['a', 'b', 'c', 'a', 'b', 'c'].map(ask))
  expect(answers.map((answer) => answer.json().name)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  expect(recordedStatements.map(({ endpoint }) => endpoint).sort()).toEqual(
    ['a', 'a', 'b', 'b', 'c', 'c'].map((name) => `POST /${name}`),
  )
  await app.close()
})

test('each form of a query returns as before', async () => {
  const pool = open(2)
  const called = new Promise((resolve) =>
    pool.query('select 2 as n', (error: Error | undefined, result) => resolve([error ?? undefined, result.rows])),
  )
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  expect(await called).toEqual([undefined, [{ n: 2 }]])
  expect((await pool.query({ name: 'three', text: 'select $1::int as n', values: [3] })).rows).toEqual([{ n: 3 }])
  await expect(pool.query('select nothing')).rejects.toMatchObject({ code: '42703' })
  expect(recordedStatements.map(({ text }) => text).sort()).toEqual([
    'select $1::int as n',
    'select 1 as n',
    'select 2 as n',
    'select nothing',
  ])
  expect(recordedStatements.filter(({ error }) => error)).toHaveLength(1)
})

test('a stream passes unchanged, and is not timed', async () => {
  const client = await open(1).connect()
  const pieces: Buffer[] = []
  for await (const piece of client.query(to('copy (select 1) to stdout'))) pieces.push(piece)
  client.release()
  expect(Buffer.concat(pieces).toString()).toBe('1\n')
  expect(recordedStatements).toEqual([])
})
