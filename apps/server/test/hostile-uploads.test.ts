import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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
import { attackService, findServiceFaults, MAX_BLOCKED_MS, type Service } from './measure-service.ts'
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

const MAX_GROWTH_MEGABYTES = 700
type Sent = { status: number; body: { message?: string; code?: string } }

/** In chunks, so that sending costs this thread no more than a browser's upload would. */
async function send(e: Endpoint, endpointParams: Record<string, unknown>, content: Buffer): Promise<Sent> {
  const url = new URL(buildEndpointPath(e, endpointParams), base)
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

async function expectOk(asked: Promise<Response>) {
  const answer = await asked
  await answer.text()
  expect(answer.status).toBe(200)
}
const OTHER_REQUESTS = {
  health: () => expectOk(fetch(`${base}/healthz`)),
  'another company': () =>
    expectOk(fetch(`${base}${api.operations.list.path}`, { headers: { authorization: `Bearer ${other.token}` } })),
}

/** A refusal must be a French sentence. */
const isSentence = (text = '') => /^[A-ZÀÉÊ«].* .*[.!?»]$/.test(text)

/** Computes for so many milliseconds of processor time without a break. */
function blockThread(ms: number) {
  const from = process.threadCpuUsage().user
  while (process.threadCpuUsage().user - from < ms * 1000);
}

test('the thread monitor detects 300 ms of work without a break', async () => {
  const stop = watchThreadLoad()
  blockThread(300)
  expect(stop().longest).toBeGreaterThan(MAX_BLOCKED_MS)
})

const buildService = (waits: number[], measured: Partial<Service> = {}): Service => ({
  waits: { health: waits },
  longest: 5,
  grown: 0,
  slowdown: 1,
  ...measured,
})

test('an answer that waits for the whole attack is a fault, however many quick ones follow', () => {
  const quick = Array<number>(100).fill(5)
  expect(findServiceFaults(buildService([5, 8]), buildService([3000, ...quick]))).toEqual([
    'health: 86 % of the time went to answers later than 258 ms, the latest 3000 ms',
  ])
  expect(findServiceFaults(buildService([5, 8]), buildService([300, ...quick, ...quick]))).toEqual([])
})

test('what a busy machine takes is no fault of the server', () => {
  const quiet = buildService([400, 900], { longest: 200 })
  expect(findServiceFaults(quiet, buildService([1100, 700], { longest: 440 }))).toEqual([])
  expect(findServiceFaults(quiet, buildService([1200, 700], { longest: 460 }))).toHaveLength(2)
  expect(findServiceFaults(quiet, buildService([1600, 700], { slowdown: 3 }))).toEqual([])
  expect(findServiceFaults(quiet, buildService([1700, 700], { slowdown: 3 }))).toHaveLength(1)
})

test('a server that others wait for in one attempt only is not at fault, one that repeats it is', async () => {
  const attack = async (isBlocked: (attempt: number) => boolean) => {
    let attempt = 0
    const { results, faults } = await attackService({}, async () => async () => {
      await new Promise((resolve) => setImmediate(resolve))
      if (isBlocked(attempt++)) blockThread(400)
    })
    return { attempts: results.length, faults: faults.length }
  }
  expect(await attack((attempt) => attempt === 0)).toEqual({ attempts: 2, faults: 0 })
  expect(await attack(() => true)).toEqual({ attempts: 3, faults: 1 })
})

test('every endpoint that takes a file is attacked here, or listed with its own test', () => {
  expect(uploadEndpoints.map(formatEndpoint).sort()).toEqual(Object.keys(queries).sort())
  expect(TESTED_ELSEWHERE.every((one) => endpoints.some((e) => e.upload && formatEndpoint(e) === one))).toBe(true)
})

test.each(Object.entries(archives))(
  '%s, sent to every file endpoint: refused in French or stored unopened, others are served',
  async (_, make) => {
    const wrong: string[] = []
    for (const e of uploadEndpoints) {
      const content = make(e.upload ?? 0)
      const { results, faults, grown } = await attackService(OTHER_REQUESTS, async () => {
        const endpointParams = params[formatEndpoint(e)] ?? (await makeEndpointParams(server, e, sender))
        return async () => {
          const sent = await send(e, endpointParams, content)
          await waitForJobs(server)
          return sent
        }
      })
      for (const { status, body } of results) {
        // A busy machine may not come to the end of a file in the time that its reading has.
        const isFailure = status >= 500 && body.code !== 'compute-time'
        if (isFailure || status === 404 || status === 403) faults.push(`${status} ${body.message}`)
        if (status >= 400 && !isSentence(body.message)) faults.push(JSON.stringify(body))
      }
      if (grown > MAX_GROWTH_MEGABYTES) faults.push(`took ${Math.round(grown)} MB`)
      wrong.push(...faults.map((fault) => `${formatEndpoint(e)}: ${fault}`))
    }
    expect(wrong).toEqual([])
  },
)
