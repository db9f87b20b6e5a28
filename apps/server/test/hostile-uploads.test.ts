import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { api, endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { beforeAll, expect, test } from 'vitest'
import { formatEndpoint } from './access-bodies.ts'
import { makeEndpointParams } from './access-makers.ts'
import { buildEndpointPath } from './client.ts'
import { makeSiteAdmin, makeUser } from './factories.ts'
import { makeOnlineProvider } from './factories-bank.ts'
import { makeSeller } from './factories-billing.ts'
import { makeOperation, makeOperationFixture, requestKeyDraft } from './factories-energy.ts'
import { buildHostileArchives, watchThreadLoad } from './hostile-archives.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
/** Uses another endpoint type, with limits and tests of its own. */
const TESTED_ELSEWHERE = ['POST /api/backups/import']
const uploadEndpoints = endpoints.filter((e) => e.upload && !TESTED_ELSEWHERE.includes(formatEndpoint(e)))
const archives = buildHostileArchives()

let sender: Awaited<ReturnType<typeof makeUser>>
let other: Awaited<ReturnType<typeof makeUser>>
let base = ''
let queries: Record<string, Record<string, string>> = {}
/** Replaces objects of the access tests that would refuse every file. */
let params: Record<string, Record<string, unknown>> = {}

beforeAll(async () => {
  sender = await makeSiteAdmin(server.db)
  other = await makeUser(server.db)
  const { companyId } = sender
  const { id: operationId } = await makeOperation(server.db, { companyId, status: 'active', startsOn: '2025-01-01' })
  const { id: sellerId } = await makeSeller(server.db, { companyId })
  const { id: providerId } = await makeOnlineProvider(server.db, { companyId, ownerId: sellerId })
  const days = { from: '2025-05-01', to: '2025-05-02' }
  const scene = await makeOperationFixture(server, { ...days, companyId, producers: [1000], consumers: [600] })
  const { body: key } = await requestKeyDraft(server, scene, { method: 'simple' })
  params = {
    'POST /api/keys/:id/coefficients': { id: key.id },
    'POST /api/online/webhooks/:companyId/:id': { companyId, id: providerId },
  }
  queries = {
    'POST /api/cms/images': { name: 'a.png' },
    'POST /api/curve-imports': { name: 'a.xlsx' },
    'POST /api/distributor-files': { name: 'a.zip', source: 'api' },
    'POST /api/documents': { ownerKind: 'operation', ownerId: operationId, name: 'a.zip' },
    'POST /api/effects/file': { kind: 'enrol', id: operationId, name: 'a.xlsx' },
    'POST /api/keys/:id/coefficients': { name: 'a.xlsx', dryRun: 'true' },
    'POST /api/bank-accounts/:id/look': { name: 'a.xlsx' },
    'POST /api/bank-accounts/:id/statements': { name: 'a.xlsx' },
    'POST /api/mandates/import': { name: 'a.xlsx', creditorId: sellerId },
    'PUT /api/mandates/:id/file': { name: 'a.zip' },
    'POST /api/participants/import': { name: 'a.xlsx', operationId, dryRun: 'true' },
    'PUT /api/billing-mandates/:id/file': { name: 'a.zip' },
    'POST /api/takeovers/documents': { operationId, sellerId, on: '2026-01-12', dryRun: 'true' },
    'POST /api/support/files': { name: 'a.zip' },
    'POST /api/support/desk/tickets/:id/files': { name: 'a.zip' },
    'POST /api/companies/:companyId/brand-pictures': { kind: 'logo' },
    'POST /api/supplier-bills/read': {},
    'POST /api/online/webhooks/:companyId/:id': {},
  }
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}` // of a port
})

const MAX_BLOCKED_MS = 250
/** How many times as long as beside no attack another user's call may take, where a busy machine makes both slow. */
const BUSY_FACTOR = 10
const MAX_GROWTH_MEGABYTES = 700
type Sent = { status: number; body: { message?: string; code?: string } }

/** In chunks, so that sending costs this thread no more than a browser's upload would. */
async function send(e: Endpoint, given: Record<string, unknown>, content: Buffer): Promise<Sent> {
  const url = new URL(buildEndpointPath(e, given), base)
  url.search = new URLSearchParams(queries[formatEndpoint(e)]).toString()
  const json = e.path.startsWith('/api/online/webhooks')
  const outgoing = request(url, {
    method: e.method,
    headers: {
      'content-type': json ? 'application/json' : 'application/octet-stream',
      'content-length': content.length,
      authorization: `Bearer ${sender.token}`,
    },
  })
  const answer = new Promise<Sent>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      const text = Buffer.concat(await incoming.toArray()).toString()
      resolve({ status: incoming.statusCode ?? 0, body: text ? JSON.parse(text) : {} })
    })
  })
  const pieces = Array.from({ length: Math.ceil(content.length / 65_536) }, (_, n) =>
    content.subarray(n * 65_536, (n + 1) * 65_536),
  )
  // A server that refuses at once does not read the rest.
  const sending = pipeline(Readable.from(pieces), outgoing).catch(() => {})
  const got = await answer
  await sending
  return got
}

async function timed(work: () => Promise<Response>): Promise<number> {
  const from = performance.now()
  const { status } = await work()
  expect(status).toBe(200)
  return performance.now() - from
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

type Waits = { health: number[]; foreign: number[] }
const createWaits = (): Waits => ({ health: [], foreign: [] })
/** Calls the server as other users while the work lasts, at least once. */
async function askMeanwhile(work: Promise<unknown>, waits: Waits) {
  let busy = true
  const done = work.finally(() => {
    busy = false
  })
  const headers = { authorization: `Bearer ${other.token}` }
  do {
    waits.health.push(await timed(() => fetch(`${base}/healthz`)))
    waits.foreign.push(await timed(() => fetch(`${base}${api.operations.list.path}`, { headers })))
    await pause(10)
  } while (busy)
  await done
}

/** A refusal must be a French sentence. */
const isSentence = (text = '') => /^[A-ZÀÉÊ«].* .*[.!?»]$/.test(text)

test('the thread monitor detects 300 ms of work without a break', async () => {
  const stop = watchThreadLoad()
  await pause(10)
  const from = process.threadCpuUsage().user
  while (process.threadCpuUsage().user - from < 300_000);
  await pause(20)
  expect(stop().longest).toBeGreaterThan(MAX_BLOCKED_MS)
})

test('every endpoint that takes a file is attacked here, or listed with its own test', () => {
  expect(uploadEndpoints.map(formatEndpoint).sort()).toEqual(Object.keys(queries).sort())
  expect(TESTED_ELSEWHERE.every((one) => endpoints.some((e) => e.upload && formatEndpoint(e) === one))).toBe(true)
})

test.each(Object.entries(archives))(
  '%s, sent to every file endpoint: refused in French or stored unopened, others are served',
  async (_, make) => {
    const wrong: string[] = []
    const [waits, calm] = [createWaits(), createWaits()]
    for (const e of uploadEndpoints) {
      await askMeanwhile(Promise.resolve(), calm)
      const given = params[formatEndpoint(e)] ?? (await makeEndpointParams(server, e, sender))
      const content = make(e.upload ?? 0)
      const stop = watchThreadLoad()
      let sent: Sent = { status: 0, body: {} }
      const work = async () => {
        sent = await send(e, given, content)
        await waitForJobs(server)
      }
      await askMeanwhile(work(), waits)
      const { longest, grown } = stop()
      const { status, body } = sent
      if (status >= 500 || status === 404 || status === 403)
        wrong.push(`${formatEndpoint(e)}: ${status} ${body.message}`)
      if (status >= 400 && !isSentence(body.message)) wrong.push(`${formatEndpoint(e)}: ${JSON.stringify(body)}`)
      if (longest > MAX_BLOCKED_MS)
        wrong.push(`${formatEndpoint(e)}: nobody else was served for ${longest} ms of computing`)
      if (grown > MAX_GROWTH_MEGABYTES) wrong.push(`${formatEndpoint(e)}: took ${Math.round(grown)} MB`)
    }
    for (const kind of ['health', 'foreign'] as const) {
      const wait = median(waits[kind])
      if (wait > Math.max(MAX_BLOCKED_MS, BUSY_FACTOR * median(calm[kind])))
        wrong.push(`${kind}: others waited ${wait} ms`)
    }
    expect(wrong).toEqual([])
  },
)
