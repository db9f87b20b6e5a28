import { companies } from '@voisol/contract/companies'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../test/client.ts'
import { startOtlpCollector } from '../../test/collector.ts'
import { makeUser } from '../../test/factories.ts'
import { enqueueTestJob, useQueues } from '../../test/jobs.ts'
import { useServer } from '../../test/server.ts'
import { waitUntil } from '../../test/wait.ts'
import { defineJob, PermanentJobError } from '../jobs/job.ts'
import { runWithPurpose } from './purpose.ts'
import { openTelemetry } from './telemetry.ts'

const collector = await startOtlpCollector()
const server = useServer({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
  TRUST_PROXY: '127.0.0.1',
})
const start = useQueues(server)
afterAll(() => collector.close())
beforeEach(() => {
  collector.heard.splice(0)
  collector.state.answer = 200
})

const findSpans = async (name: string) => {
  await server.deps.telemetry?.flush()
  const found = collector.spans().filter((span) => span.name === name)
  return found.length > 0 && found
}
const NAME = 'GET /api/companies/:companyId'
const get = (who: { token: string; companyId: number }, headers = {}) =>
  call(server, companies.get, { params: who }, { token: who.token, headers })

test('a call is a span of its route, with its statements as children', async () => {
  const admin = await makeUser(server.db)
  expect((await get(admin)).status).toBe(200)
  const [span] = await waitUntil(() => findSpans(NAME))
  expect(span).toMatchObject({ kind: 2, links: [] })
  expect(span.parentSpanId ?? span.status).toBeUndefined()
  expect(span.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/api/companies/:companyId',
    'http.response.status_code': 200,
    'voisol.company_id': admin.companyId,
  })
  const parts = collector.spans().filter(({ parentSpanId }) => parentSpanId === span.spanId)
  expect(parts).toHaveLength(span.attributes['voisol.statements'])
  expect(parts.map((part) => part.attributes['db.query.text']).join('\n')).toContain('from "companies"')
  for (const part of parts) {
    expect(part).toMatchObject({ kind: 3, traceId: span.traceId, attributes: { 'db.system.name': 'postgresql' } })
    expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano))
  }
  expect(collector.resource()).toMatchObject({ 'service.name': 'voisol', 'voisol.role': 'all' })
  expect(collector.heard[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'a secret' } })
  expect(JSON.stringify(collector.heard)).not.toContain(admin.email)
})

test('a trusted proxy sets the trace of a call, and whether it is sampled', async () => {
  const admin = await makeUser(server.db)
  const trace = 'ab'.repeat(16)
  await get(admin, { traceparent: `00-${'cd'.repeat(16)}-${'12'.repeat(8)}-00` })
  await get(admin, { traceparent: `00-${trace}-${'12'.repeat(8)}-01` })
  await get(admin, { traceparent: `00-${'0'.repeat(32)}-${'12'.repeat(8)}-01` })
  const found = await waitUntil(() => findSpans(NAME))
  expect(found.map(({ traceId, parentSpanId }) => [traceId === trace, parentSpanId])).toEqual([
    [true, '12'.repeat(8)],
    [false, undefined],
  ])
})

test('a job is a trace linked to its sender; its input is unchanged', async () => {
  const seen: unknown[] = []
  const input = z.strictObject({ companyId: z.number().optional() })
  const run = async (_: unknown, data: unknown) => {
    seen.push(data)
    throw new PermanentJobError('never')
  }
  await start({ traced: defineJob({ input, run }) })
  const span = server.deps.telemetry?.begin({ name: 'asked', kind: 'server' })
  await runWithPurpose({ company: () => undefined, span }, () => enqueueTestJob(server.db, 'traced'))
  const [found] = await waitUntil(() => findSpans('job traced'))
  expect(found).toMatchObject({ kind: 5, status: { code: 2 }, attributes: { 'error.type': 'PermanentJobError' } })
  expect(found.links).toEqual([{ traceId: span?.place.traceId, spanId: span?.place.spanId }])
  expect(found.traceId).not.toBe(span?.place.traceId)
  expect(seen).toEqual([{}])
})

test('statements without end are counted, and only the first are traced', async () => {
  const run = async ({ db }: { db: typeof server.db }) => {
    for (let n = 0; n < 510; n++) await db.execute(sql`select 1 as many`)
  }
  const queue = await start({ greedy: defineJob({ input: z.object({}), run }) })
  await queue.send('greedy', {})
  const [found] = await waitUntil(() => findSpans('job greedy'))
  expect(found.attributes['voisol.statements']).toBe(510)
  expect(collector.spans().filter(({ parentSpanId }) => parentSpanId === found.spanId)).toHaveLength(500)
})

test('exported metrics are those of /metrics', async () => {
  await server.app.inject('/healthz')
  await server.deps.telemetry?.flush()
  const named = (name: string) => collector.metrics().find((metric) => metric.name === name)
  const shown = (await server.app.inject('/metrics')).body
  const names = new Set([...shown.matchAll(/^# TYPE (\S+) (?:gauge|counter|histogram)$/gm)].map(([, name]) => name))
  const sent = new Set(collector.metrics().map(({ name }) => name))
  // A metric that was never counted has no value to send.
  const counted = (name: string | undefined) => new RegExp(`^${name}(?:_count)?[{ ]`, 'm').test(shown)
  expect([...names].filter((name) => !sent.has(name) && counted(name))).toEqual([])
  expect(sent).toContain('process_cpu_seconds_total')
  const points = named('http_request_duration_seconds').histogram.dataPoints
  const point = points.find((one: object) => JSON.stringify(one).includes('/healthz'))
  expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
  expect(point.bucketCounts.reduce((sum: number, n: string) => sum + Number(n), 0)).toBe(Number(point.count))
  expect(Number(point.count)).toBeGreaterThan(0)
})

test('a busy collector gets the data later, a refused batch is not repeated', async () => {
  const admin = await makeUser(server.db)
  collector.state.answer = 503
  await get(admin)
  expect(await findSpans(NAME)).toBe(false)
  collector.state.answer = 200
  expect(await waitUntil(() => findSpans(NAME))).toHaveLength(1)
  collector.heard.splice(0)
  collector.state.answer = 400
  await get(admin)
  await server.deps.telemetry?.flush()
  collector.state.answer = 200
  expect(await findSpans(NAME)).toBe(false)
})

test('without a collector nothing is recorded', async () => {
  const config = { ...server.deps.config, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }
  expect(await openTelemetry(config, server.deps.log)).toBeUndefined()
})
