import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../server/test/enedis-simulator.ts'
import { SIMULATOR_CLIENT } from './client.ts'

const CONS = '30000000000001'
const PROD = '30000000000002'
const v1 = '/mesure_synchrone_auto/v1/metering_data'
const v2 = '/mesure_synchrone_auto/v2'

let sandbox: TestSimulator
const folder = mkdtempSync(join(tmpdir(), 'voisol-sandbox-'))
const store = join(folder, 'store.json')
beforeAll(async () => {
  sandbox = await startTestSimulator({ store })
})
afterAll(async () => {
  await sandbox.stop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await sandbox.control('DELETE', 'state')
  await sandbox.control('PUT', 'quotas', null)
  await sandbox.control('PUT', 'clock', { now: '2026-11-15T10:00:00Z' })
  await sandbox.control('PUT', 'points', [
    { prm: CONS, direction: 'consumption', step: 15, from: '2025-03-01' },
    { prm: PROD, direction: 'production', step: 15, from: '2020-01-01' },
  ])
})

const requestToken = (secret = SIMULATOR_CLIENT.clientSecret) =>
  fetch(`${sandbox.url}/oauth2/v3/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: SIMULATOR_CLIENT.clientId,
      client_secret: secret,
    }),
  })
// biome-ignore lint/suspicious/noExplicitAny: a test reads what the sandbox really sent
type SimulatorResponse = { status: number; body: any; headers: Headers }
const ask = async (path: string, token: string, init: RequestInit = {}): Promise<SimulatorResponse> => {
  const answer = await fetch(`${sandbox.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const fetchAccessToken = async () => ((await (await requestToken()).json()) as { access_token: string }).access_token
const curve = (prm: string, from: string, to: string) =>
  `${v2}/courbe_de_charge_consommation?pointId=${prm}&dateDebut=${from}&dateFin=${to}`
const old = (prm: string, from: string, to: string) =>
  `${v1}/consumption_load_curve?usage_point_id=${prm}&start=${from}&end=${to}`

describe('tokens', () => {
  test('are given for the right secret, in the form or in the header', async () => {
    const answer = await requestToken()
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 12_600 })
    const { status, body } = await requestToken('faux').then(async (said) => ({
      status: said.status,
      body: await said.json(),
    }))
    expect(status).toBe(401)
    expect(body).toMatchObject({ error: 'invalid_client' })
    const basic = await fetch(`${sandbox.url}/oauth2/v3/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('bac-a-sable:bac-a-sable').toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    expect(basic.status).toBe(200)
  })

  test('expire after three and a half hours of the clock, with the gateway’s refusal', async () => {
    const token = await fetchAccessToken()
    expect((await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).status).toBe(200)
    await sandbox.control('PUT', 'clock', { now: '2026-11-15T13:31:00Z' })
    const late = await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)
    expect(late).toMatchObject({ status: 401, body: { fault: { code: 900901, message: 'Invalid Credentials' } } })
    expect((await ask(curve(CONS, '2026-11-14', '2026-11-15'), 'autre')).status).toBe(401)
  })
})

describe('refused calls', () => {
  test.each([
    ['more than seven days', CONS, '2026-11-01', '2026-11-09', 400, 'ADAM-DC-0015', 'ADAM-ERR0126'],
    ['before the history', PROD, '2024-10-30', '2024-11-02', 400, 'ADAM-DC-0016', 'ADAM-ERR0125'],
    ['before the consent', CONS, '2025-02-27', '2025-03-02', 403, 'ADAM-DC-0009', 'ADAM-DC-0009'],
    ['after today', CONS, '2026-11-14', '2026-11-16', 400, 'SGT400', 'Invalid_request'],
    ['the wrong way round', CONS, '2026-11-14', '2026-11-14', 400, 'SGT400', 'Invalid_request'],
    ['no date', CONS, '2026-02-30', '2026-03-02', 400, 'SGT400', 'Invalid_request'],
    ['thirteen digits', '3000000000000', '2026-11-14', '2026-11-15', 400, 'SGT400', 'Invalid_request'],
    ['the other direction', PROD, '2026-11-14', '2026-11-15', 400, 'ADAM-ERR0069', 'ADAM-ERR0069'],
    ['a stranger', '30000000000003', '2026-11-14', '2026-11-15', 403, 'SGT403', 'ADAM-DC-0008'],
  ])('%s', async (_, prm, from, to, status, code, error) => {
    const token = await fetchAccessToken()
    expect(await ask(curve(prm, from, to), token)).toMatchObject({ status, body: { code } })
    expect(await ask(old(prm, from, to), token)).toMatchObject({ status, body: { error } })
  })

  test.each([
    ['withdrawn', 403, 'SGT403', 'ADAM-DC-0008'],
    ['moved', 403, 'ADAM-DC-0007', 'ADAM-DC-0007'],
    ['opposed', 400, 'ADAM-ERR0075', 'ADAM-ERR0075'],
  ])('%s', async (state, status, code, error) => {
    const token = await fetchAccessToken()
    await sandbox.control('PUT', 'consents', { prm: CONS, state })
    expect(await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).toMatchObject({ status, body: { code } })
    expect(await ask(old(CONS, '2026-11-14', '2026-11-15'), token)).toMatchObject({ status, body: { error } })
    await sandbox.control('PUT', 'consents', { prm: CONS, state, until: '2026-11-15T09:00:00Z' })
    expect((await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).status).toBe(200)
  })

  test('an expired access counts as withdrawn', async () => {
    const token = await fetchAccessToken()
    await sandbox.control('PUT', 'consents', { prm: CONS, state: 'active', until: '2026-11-14' })
    expect((await ask(curve(CONS, '2026-11-13', '2026-11-14'), token)).body).toMatchObject({ code: 'SGT403' })
  })

  test('yesterday is available from eight in the morning, Paris time', async () => {
    await sandbox.control('PUT', 'clock', { now: '2026-11-15T06:59:00Z' })
    const token = await fetchAccessToken()
    expect((await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).body).toMatchObject({ code: 'SGT404' })
    expect((await ask(old(CONS, '2026-11-14', '2026-11-15'), token)).body).toMatchObject({ error: 'STM-ERR-0000020' })
    await sandbox.control('PUT', 'clock', { now: '2026-11-15T07:00:30Z' })
    expect((await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).status).toBe(200)
  })

  test('daily energies are available for a year, not more', async () => {
    const token = await fetchAccessToken()
    const daily = (from: string) => `${v2}/production_quotidienne?pointId=${PROD}&dateDebut=${from}&dateFin=2026-11-15`
    expect((await ask(daily('2025-11-15'), token)).body.grandeur[0].points).toHaveLength(365)
    expect((await ask(daily('2025-11-14'), token)).status).toBe(400)
  })

  test('the first interface answers like the first format of 2026', async () => {
    const token = await fetchAccessToken()
    const query = `?usage_point_id=${CONS}&start=2026-11-14&end=2026-11-15`
    const legacy = await ask(`/metering_data_clc/v5/consumption_load_curve${query}`, token)
    expect(legacy.body).toEqual((await ask(old(CONS, '2026-11-14', '2026-11-15'), token)).body)
    expect((await ask(`/address/v1/${CONS}`, token)).body.address.postal_code_city).toBe('69007 Lyon')
    expect((await ask('/ailleurs', token)).status).toBe(404)
  })
})

test('serves days that arrive late, and corrected days', async () => {
  const token = await fetchAccessToken()
  const day = async () => (await ask(curve(CONS, '2026-11-14', '2026-11-15'), token)).body
  const own = await day()
  const reading = { prm: CONS, direction: 'consumption', day: '2026-11-14' }
  const corrected = Array.from({ length: 96 }, (_, at) => at)
  await sandbox.control('PUT', 'readings', [
    { ...reading, watts: null, from: '2026-11-15T11:00:00Z' },
    { ...reading, watts: corrected, from: '2026-11-15T12:00:00Z' },
  ])
  expect(await day()).toMatchObject({ code: 'SGT404' })
  await sandbox.control('PUT', 'clock', { now: '2026-11-15T11:01:00Z' })
  expect(await day()).toEqual(own)
  await sandbox.control('PUT', 'clock', { now: '2026-11-15T12:01:00Z' })
  const { points } = (await day()).grandeur[0]
  expect(points.map(({ v }: { v: string }) => Number(v))).toEqual(corrected)
  expect(points[0].n).toBe('C')
})

test('limits calls per second and per hour, with the refusal of each interface', async () => {
  const token = await fetchAccessToken()
  const burst = (path: string, init?: RequestInit) =>
    Promise.all(Array.from({ length: 30 }, () => ask(path, token, init)))
  await sandbox.control('PUT', 'quotas', { second: 5, hour: 10_000 })
  const fresh = (await burst(curve(CONS, '2026-11-14', '2026-11-15'))).find(({ status }) => status === 429)
  expect(fresh?.body).toEqual({ code: 'SGT429', message: 'SLA dépassé' })
  expect(fresh?.headers.get('retry-after')).toBe('1')
  const first = (await burst(old(CONS, '2026-11-14', '2026-11-15'))).find(({ status }) => status === 429)
  expect(first?.body).toMatchObject({ error: 'Quota Q3 reached' })
  await sandbox.control('PUT', 'quotas', { second: 100, hour: 3 })
  const answers = await burst(old(CONS, '2026-11-14', '2026-11-15'))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ error: 'Quota Q4 reached' })
  const gateway = await ask('/collective_self_consumption/v4/agreements', token)
  expect(gateway.body.fault).toMatchObject({ code: 900804, nextAccessTime: expect.stringMatching(/^2026-Nov-15 /) })
  const { counters, most } = await sandbox.control('GET', 'state')
  expect(counters.byStatus['429']).toBeGreaterThan(10)
  expect(most.second).toBeLessThanOrEqual(100)
})

test('declarations, tokens and fault counts survive a restart', async () => {
  const token = await fetchAccessToken()
  await sandbox.control('PUT', 'faults', [{ kind: '500', times: 2 }])
  const path = curve(CONS, '2026-11-14', '2026-11-15')
  expect((await ask(path, token)).status).toBe(500)
  await sandbox.stop()
  sandbox = await startTestSimulator({ store })
  expect((await ask(path, token)).status).toBe(500)
  expect((await ask(path, token)).status).toBe(200)
  const { now, points, faults } = await sandbox.control('GET', 'state')
  expect(now).toMatch(/^2026-11-15T10:0/)
  expect({ points, used: faults[0].used }).toEqual({ points: 2, used: 2 })
})

test('quotas lifted at one start apply again at the next', async () => {
  await sandbox.control('DELETE', 'state')
  expect((await sandbox.control('GET', 'state')).quotas).toBeNull()
  await sandbox.stop()
  sandbox = await startTestSimulator({ store, quotas: true })
  expect((await sandbox.control('GET', 'state')).quotas).toEqual({ second: 5, hour: 10_000 })
})

test('an invalid declaration is refused, and changes nothing', async () => {
  await expect(sandbox.control('PUT', 'faults', [{ kind: 'grêle' }])).rejects.toThrow('400')
  await expect(sandbox.control('PUT', 'points', [{ prm: '1' }])).rejects.toThrow('400')
  await expect(sandbox.control('PUT', 'ailleurs', {})).rejects.toThrow('404')
  expect((await sandbox.control('GET', 'state')).points).toBe(2)
})

test('stops with the process that started it', async () => {
  const other = await startTestSimulator()
  const gone = once(other.child, 'exit')
  other.child.stdin?.end()
  expect(await gone).toEqual([0, null])
})
