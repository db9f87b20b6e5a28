import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEnedisClient } from './client.ts'
import { EnedisError } from './enedis-faults.ts'
import type { ExchangeTrace } from './enedis-types.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const PRM = '16401220101758'
const CURVE = { idPrm: PRM, grandeur: [{ unite: 'W', points: [{ v: '540', d: '2026-03-12 00:30:00', p: 'PT30M' }] }] }
const CURVE_REQUEST = { prm: PRM, direction: 'consumption', from: '2026-03-12', to: '2026-03-13' } as const

let calls: string[] = []
let answer: Answer = () => {}
let tokens = 0
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const server = createServer((request, response) => {
  calls.push(`${request.method} ${request.url}`)
  if (request.url !== '/oauth2/v3/token') return answer(request, response)
  tokens += 1
  setTimeout(() => json(200, { access_token: `jeton-${tokens}`, expires_in: 12_600 })(request, response), 20)
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())
beforeEach(() => {
  calls = []
  tokens = 0
  answer = json(200, CURVE)
})

const open = (more: { timeout?: number; traces?: ExchangeTrace[] } = {}) => {
  const { port } = server.address() as AddressInfo // it listens
  return createEnedisClient({
    host: `http://127.0.0.1:${port}`,
    backend: 'dataconnect-v2',
    clientId: 'client',
    clientSecret: 'très secret',
    listen: (trace) => more.traces?.push(trace),
    ...(more.timeout && { timeout: more.timeout }),
  })
}
const catchEnedisError = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof EnedisError)) throw new Error(`not a fault: ${String(error)}`)
  return error
}

test('ten simultaneous calls share one token', async () => {
  const enedis = open()
  await Promise.all(Array.from({ length: 10 }, () => enedis.loadCurve(CURVE_REQUEST)))
  expect(tokens).toBe(1)
  expect(calls.at(-1)).toBe(
    `GET /mesure_synchrone_auto/v2/courbe_de_charge_consommation?pointId=${PRM}&dateDebut=2026-03-12&dateFin=2026-03-13`,
  )
})

test('an expired token is renewed exactly once', async () => {
  answer = (request, response) =>
    request.headers.authorization === 'Bearer jeton-1'
      ? json(401, { fault: { code: 900901, message: 'Invalid Credentials' } })(request, response)
      : json(200, CURVE)(request, response)
  expect((await open().loadCurve(CURVE_REQUEST)).points).toHaveLength(1)
  expect(tokens).toBe(2)
  answer = json(401, { fault: { code: 900901, message: 'Invalid Credentials' } })
  const { fault } = await catchEnedisError(open().loadCurve(CURVE_REQUEST))
  expect(fault).toMatchObject({ code: '900901', nature: 'auth', status: 401 })
  expect(calls.filter((call) => call.startsWith('GET'))).toHaveLength(4)
})

test.each([
  [
    { error: 'Quota Q3 reached', error_description: 'Call threshold allowed on 0:00:01' },
    {},
    'Quota Q3 reached',
    undefined,
  ],
  [
    { code: '900804', message: 'Message throttled out', nextAccessTime: '2026-Jul-22 05:00:00+0000 UTC' },
    {},
    '900804',
    '2026-07-22T05:00:00.000Z',
  ],
  [
    { code: 'SGT429', message: 'SLA dépassé' },
    { 'retry-after': 'Wed, 22 Jul 2026 06:00:00 GMT' },
    'SGT429',
    '2026-07-22T06:00:00.000Z',
  ],
])('a 429 answer in the form %# gives the time to wait until', async (body, headers, code, retryAt) => {
  answer = json(429, body, headers)
  const error = await catchEnedisError(open().loadCurve(CURVE_REQUEST))
  expect(error.fault).toMatchObject({ code, nature: 'quota', status: 429 })
  expect(error.retryAt?.toISOString()).toBe(retryAt)
})

test.each([
  [403, { error: 'ADAM-DC-0008', error_description: 'No consent can be found' }, 'consent'],
  [404, { code: 'SGT404', message: 'Pas de mesure trouvée pour ce point' }, 'no-data'],
  [400, { error: 'ADAM-ERR0126', error_description: 'less than 7 days' }, 'request'],
  [503, '<html>indisponible</html>', 'transient'],
] as const)('%i gives its explanation', async (status, body, nature) => {
  answer = json(status, body)
  const { fault } = await catchEnedisError(open().loadCurve(CURVE_REQUEST))
  expect(fault.nature).toBe(nature)
  expect(fault.explanation).toMatch(/\.$/)
  expect(fault.remedy).toMatch(/\.$/)
})

const raw =
  (text: string, more: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...more }).end(text)

test.each([
  ['cut short', raw('{"idPrm":"1640')],
  ['of HTML', raw('<html></html>')],
  ['of ten megabytes', raw(`"${'x'.repeat(10_000_000)}"`)],
])('an answer %s is reported as such', async (_, bad) => {
  answer = bad
  expect((await catchEnedisError(open().loadCurve(CURVE_REQUEST))).fault.nature).toBe('answer')
})

test('a call that takes too long is aborted, a redirect is not followed', async () => {
  answer = () => {}
  expect((await catchEnedisError(open({ timeout: 50 }).loadCurve(CURVE_REQUEST))).fault.code).toBe('timeout')
  answer = (_, response) => void response.writeHead(302, { location: 'https://ailleurs.fr/' }).end()
  expect((await catchEnedisError(open().loadCurve(CURVE_REQUEST))).fault.nature).toBe('transient')
})

test('every exchange is traced, without any secret', async () => {
  const traces: ExchangeTrace[] = []
  await open({ traces }).loadCurve(CURVE_REQUEST)
  expect(traces.map(({ status }) => status)).toEqual([200, 200])
  expect(JSON.stringify(traces)).not.toMatch(/très|secret|jeton/)
  expect(traces[1]?.body).toContain('540')
})
