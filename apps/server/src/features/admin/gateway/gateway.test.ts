import { apiKeys } from '@voisol/contract/api-keys'
import { gateway } from '@voisol/contract/gateway'
import { operations } from '@voisol/contract/operations'
import { roles } from '@voisol/contract/roles'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { callCounts } from '../../../db/schema/index.ts'
import { BUCKET_COUNT } from '../../../http/gateway/histogram.ts'
import { rollUpCalls } from './jobs.ts'

const server = useServer()
type Who = Awaited<ReturnType<typeof makeUser>>
const make = async (who: Who, more: object = {}) =>
  (await call(server, apiKeys.create, { body: { name: 'Tableur', permissions: ['operations.read'], ...more } }, who))
    .body
const list = (token: string) => call(server, operations.list, {}, { token })
async function overview(who: Who, query: object = {}) {
  await server.app.gateway.flush()
  return (await call(server, gateway.overview, { query }, who)).body
}

test('counts calls by key, person and route, with errors, durations and bytes', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = await make(admin)
  for (let n = 0; n < 3; n++) await list(key)
  expect((await call(server, roles.list, {}, { token: key })).status).toBe(403)
  const seen = await overview(admin)
  expect(seen.keys).toMatchObject([
    { id, label: expect.stringContaining('Tableur (vsl_'), calls: 4, errors: 1, blocked: 1 },
  ])
  expect(seen.people).toMatchObject([{ id: admin.id, calls: 1, errors: 0 }])
  expect(seen.routes[0]).toMatchObject({ id: 'GET /api/acc-operations', calls: 3, errors: 0, failures: 0 })
  expect(seen.total).toMatchObject({ calls: 5, errors: 1, blocked: 1 })
  expect(seen.total.bytesOut).toBeGreaterThan(100)
  expect(seen.total.p50).toBeGreaterThan(0)
  expect(seen.total.p99).toBeGreaterThanOrEqual(seen.total.p50)
  expect(seen.blocked).toMatchObject([{ reason: 'forbidden', route: 'GET /api/roles', calls: 1, kind: 'key' }])
  expect(seen.series.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(5)
  expect((await overview(admin, { keyId: id })).total.calls).toBe(4)
  expect((await overview(admin, { route: 'GET /api/roles' })).total).toMatchObject({ calls: 1, p50: null })
})

test('another company sees none of the calls; the installation operator sees the totals of all companies', async () => {
  const keeper = await makeSiteAdmin(server.db)
  const [admin, other] = [await makeUser(server.db), await makeUser(server.db)]
  const { id, key } = await make(admin)
  await list(key)
  expect((await overview(other)).keys).toEqual([])
  expect((await call(server, gateway.calls, { params: { id } }, other)).status).toBe(404)
  const { body } = await call(server, gateway.installation, {}, keeper)
  expect(body.companies.find(({ companyId }: { companyId: number }) => companyId === admin.companyId)).toMatchObject({
    calls: 2,
  })
  expect((await call(server, gateway.installation, {}, admin)).status).toBe(403)
})

test('lists the last two hundred calls of a key one by one', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = await make(admin)
  await list(key)
  const { meter } = server.app.gateway
  const about = {
    companyId: admin.companyId,
    kind: 'key' as const,
    who: id,
    route: 'GET /api/participants',
    reason: '',
  }
  const add = (from: number, n: number) => {
    for (let at = 0; at < n; at++)
      meter.add({
        ...about,
        status: 200,
        micros: 1700,
        bytesIn: 0,
        bytesOut: 31,
        at: from + at,
        ip: '198.51.100.7',
        requestId: `r${from + at}`,
      })
  }
  const later = Date.now() + 60_000
  add(later, 150)
  await server.app.gateway.flush()
  add(later + 1000, 450)
  await server.app.gateway.flush()
  const { body } = await call(server, gateway.calls, { params: { id } }, admin)
  expect(body.items).toHaveLength(200)
  expect(body.items[0]).toMatchObject({
    id: `r${later + 1449}`,
    milliseconds: 1.7,
    bytes: 31,
    ip: '198.51.100.7',
    reason: null,
  })
  const { rows } = await server.db.execute(sql`select count(*)::int as n from key_calls where key_id = ${id}`)
  expect(rows[0]?.n).toBe(200)
})

test('a key beyond its limits gets 429 with its remaining quota, and the refusal is counted', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = await make(admin, { perMonth: 3, perSecond: 900 })
  const { headers } = await list(key)
  expect(headers['ratelimit-policy']).toMatch(/^"cle-second";q=900;w=1, "cle-month";q=3;w=2\d{6}$/)
  expect(headers.ratelimit).toMatch(/"cle-month";r=2;t=\d+$/)
  await list(key)
  await list(key)
  const refused = await list(key)
  expect(refused.body).toMatchObject({ status: 429, code: 'key-quota', message: expect.stringContaining('ce mois-ci') })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1)
  expect((await overview(admin)).blocked).toMatchObject([{ reason: 'key-quota', calls: 1 }])
  const { body } = await call(server, gateway.limits, {}, admin)
  expect(body.keys).toEqual([{ id, name: 'Tableur', perSecond: 900, perMonth: 3, usedThisMonth: 3 }])
})

test('a company limit applies to all its keys together and never to its users', async () => {
  const admin = await makeUser(server.db)
  const [one, two] = [await make(admin), await make(admin)]
  const save = (version: number) =>
    call(server, gateway.setLimits, { body: { perSecond: null, perMonth: 2, version } }, admin)
  expect((await save(0)).body).toMatchObject({ perMonth: 2, version: 1 })
  expect((await save(0)).status).toBe(409)
  expect([(await list(one.key)).status, (await list(two.key)).status]).toEqual([200, 200])
  expect([(await list(one.key)).body.code, (await list(two.key)).body.code]).toEqual(['company-quota', 'company-quota'])
  expect((await list(admin.token)).status).toBe(200)
})

const buckets = (at: number, n: number) => Array.from({ length: BUCKET_COUNT }, (_, index) => (index === at ? n : 0))

test('rolls minutes up to the same totals in hours and days, repeatably, and removes expired counts', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const about = { companyId, kind: 'person', who: admin.id, route: 'GET /api/x' }
  const hours = (n: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - n * 3_600_000)
  const rows = [3, 5, 5.5, 26, 27].map((ago, index) => ({
    ...about,
    step: 'minute',
    at: hours(ago),
    calls: 11 + index,
    buckets: buckets(index, 11 + index),
  }))
  // Restores the state before any roll-up.
  await server.db.execute(sql`delete from call_counts where step <> 'minute'`)
  await server.db.insert(callCounts).values(rows)
  await server.db
    .insert(callCounts)
    .values({ ...about, step: 'minute', at: hours(49), calls: 7, buckets: buckets(1, 7) })
  const counted = async () => {
    const { rows: found } = await server.db.execute<{ step: string; n: number }>(
      sql`select step, sum(calls)::int as n from call_counts where company_id = ${companyId} and route = 'GET /api/x' group by 1 order by 1`,
    )
    return Object.fromEntries(found.map(({ step, n }) => [step, n]))
  }
  await rollUpCalls(server.db)
  expect(await counted()).toEqual({ minute: 65, hour: 72, day: 72 })
  await rollUpCalls(server.db)
  expect(await counted()).toEqual({ minute: 65, hour: 72, day: 72 })
  for (const period of ['month', 'year'])
    expect([period, (await overview(admin, { period, route: 'GET /api/x' })).total]).toMatchObject([
      period,
      { calls: 72 },
    ])
  await server.db
    .insert(callCounts)
    .values({ ...about, step: 'minute', at: hours(0.01), calls: 19, buckets: buckets(2, 19) })
  for (const period of ['month', 'year'])
    expect((await overview(admin, { period, route: 'GET /api/x' })).total.calls).toBe(91)
  await server.db.execute(
    sql`update call_counts set at = (at at time zone 'UTC' - interval '61 days') at time zone 'UTC' where company_id = ${companyId} and step = 'hour'`,
  )
  await rollUpCalls(server.db)
  expect((await counted()).hour).toBeLessThan(72)
})
