import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEnedisClient } from '../../server/src/integrations/enedis/client.ts'
import { EnedisError } from '../../server/src/integrations/enedis/enedis-faults.ts'
import type { ExchangeTrace } from '../../server/src/integrations/enedis/enedis-types.ts'
import { startTestSimulator, type TestSimulator } from '../../server/test/enedis-simulator.ts'
import { SIMULATOR_CLIENT } from './client.ts'
import type { SimulatedFault } from './simulator-state.ts'

const PRM = '30000000000001'
const NOW = '2026-11-15T10:00:00Z'
const CURVE_REQUEST = { prm: PRM, direction: 'consumption', from: '2026-11-12', to: '2026-11-15' } as const

let sandbox: TestSimulator
beforeAll(async () => {
  sandbox = await startTestSimulator()
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  await sandbox.control('DELETE', 'state')
  await sandbox.control('PUT', 'quotas', null)
  await sandbox.control('PUT', 'clock', { now: NOW })
  await sandbox.control('PUT', 'points', [{ prm: PRM, direction: 'consumption', step: 15, from: '2025-01-01' }])
})

type More = { traces?: ExchangeTrace[]; backend?: 'dataconnect-v2' | 'dataconnect-v1'; timeout?: number }
/** Only the tested delay has a short timeout: a busy machine must not fail the test. */
const open = ({ traces = [], backend = 'dataconnect-v2', ...hurry }: More = {}) =>
  createEnedisClient({
    host: sandbox.url,
    backend,
    ...SIMULATOR_CLIENT,
    ...hurry,
    listen: (trace) => traces.push(trace),
  })
const fault = (kind: SimulatedFault['kind'], more: Partial<SimulatedFault> = {}) =>
  sandbox.control('PUT', 'faults', [{ kind, times: 1, ...more }])
const catchEnedisFailure = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof EnedisError)) throw new Error(`no fault: ${JSON.stringify(error)}`)
  return error
}

test.each([
  ['q3', 'Quota Q3 reached', 'quota'],
  ['q4', 'Quota Q4 reached', 'quota'],
  ['throttled', '900804', 'quota'],
  ['403', 'SGT403', 'consent'],
  ['no-data', 'SGT404', 'no-data'],
  ['500', 'ADAM-DC-0500', 'transient'],
  ['503-html', '503', 'transient'],
  ['truncated', 'unreadable', 'answer'],
  ['hostile', 'unreadable', 'answer'],
  ['reset', 'network', 'transient'],
  ['timeout', 'timeout', 'transient'],
] as const)('%s is reported as %s, and the next call succeeds', async (kind, code, nature) => {
  const enedis = open()
  await fault(kind)
  const asked = kind === 'timeout' ? open({ timeout: 500 }) : enedis
  expect((await catchEnedisFailure(asked.loadCurve(CURVE_REQUEST))).fault).toMatchObject({ code, nature })
  expect((await enedis.loadCurve(CURVE_REQUEST)).points).toHaveLength(288)
})

test('the retry time of a throttled call follows the simulator’s clock', async () => {
  await fault('throttled', { seconds: 90 })
  const { retryAt } = await catchEnedisFailure(open().loadCurve(CURVE_REQUEST))
  expect((retryAt?.getTime() ?? 0) - Date.parse(NOW)).toBeGreaterThan(89_000)
  expect((retryAt?.getTime() ?? 0) - Date.parse(NOW)).toBeLessThan(100_000)
})

test('a refused token is renewed once; refused twice, it is reported', async () => {
  const traces: ExchangeTrace[] = []
  const enedis = open({ traces })
  await fault('token-expired')
  expect((await enedis.loadCurve(CURVE_REQUEST)).points).toHaveLength(288)
  expect(traces.map(({ status }) => status)).toEqual([200, 401, 200, 200])
  await fault('401', { times: 2 })
  expect((await catchEnedisFailure(enedis.loadCurve(CURVE_REQUEST))).fault).toMatchObject({
    code: '900901',
    nature: 'auth',
  })
})

test('a slow answer is accepted', async () => {
  await fault('slow', { seconds: 0.3 })
  const from = performance.now()
  expect((await open().loadCurve(CURVE_REQUEST)).points).toHaveLength(288)
  expect(performance.now() - from).toBeGreaterThan(290)
})

test('every hostile answer is refused, none is accepted as readings', async () => {
  const enedis = open()
  await fault('hostile', { times: 7 })
  for (let turn = 0; turn < 7; turn++)
    expect((await catchEnedisFailure(enedis.loadCurve(CURVE_REQUEST))).fault.nature, `turn ${turn}`).toBe('answer')
  await fault('hostile', { times: 7 })
  const old = open({ backend: 'dataconnect-v1' })
  for (let turn = 0; turn < 7; turn++)
    expect((await catchEnedisFailure(old.loadCurve(CURVE_REQUEST))).fault.nature, `turn ${turn}`).toBe('answer')
})

const ACC = 'ACC00009001'
const MONTH = { acc: ACC, from: '2026-10-01', to: '2026-11-01' }
test.each([
  ['daily energies', () => open().dailyEnergy(CURVE_REQUEST)],
  ['daily energies of the first form', () => open({ backend: 'dataconnect-v1' }).dailyEnergy(CURVE_REQUEST)],
  ['agreements', () => open().agreements()],
  ['an agreement', () => open().agreement(ACC)],
  ['series', () => open().series({ ...MONTH, type: 'cons' })],
  ['quantities', () => open().definitiveEnergy({ ...MONTH, prm: PRM, role: 'cons' })],
  ['the perimeter', () => open().perimeter()],
])('hostile %s are refused', async (_, ask) => {
  await fault('hostile', { times: 7 })
  for (let turn = 0; turn < 7; turn++)
    expect((await catchEnedisFailure(ask())).fault.nature, `turn ${turn}`).toBe('answer')
})

test.each(['dataconnect-v2', 'dataconnect-v1'] as const)('well formed but wrong, %s', async (backend) => {
  const enedis = open({ backend })
  const right = await enedis.loadCurve(CURVE_REQUEST)
  await fault('late')
  expect((await enedis.loadCurve(CURVE_REQUEST)).points).toEqual(right.points.slice(0, 192))
  await fault('partial')
  expect((await enedis.loadCurve(CURVE_REQUEST)).points).toEqual(right.points.slice(0, 240))
  await fault('duplicate')
  expect(await enedis.loadCurve(CURVE_REQUEST)).toEqual(right)
  await fault('mixed-steps')
  const mixed = await enedis.loadCurve(CURVE_REQUEST)
  expect(mixed.points.filter(({ minutes }) => minutes === 30)).toHaveLength(24)
  expect(mixed.points.filter(({ minutes }) => minutes === 15)).toHaveLength(240)
})

test('a fault applies to a point, a path, a period, a number of calls, or each nth', async () => {
  const enedis = open()
  const call = () =>
    enedis.loadCurve(CURVE_REQUEST).then(
      () => true,
      () => false,
    )
  await fault('500', { prm: '30000000000009', times: 9 })
  expect(await call()).toBe(true)
  await fault('500', { path: 'production', times: 9 })
  expect(await call()).toBe(true)
  await fault('500', { from: '2026-11-16T00:00:00Z', times: 9 })
  expect(await call()).toBe(true)
  await fault('500', { from: '2026-11-15T00:00:00Z', to: '2026-11-15T11:00:00Z', times: 9 })
  expect(await call()).toBe(false)
  await fault('500', { every: 3, times: 9 })
  expect([await call(), await call(), await call(), await call(), await call(), await call()]).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
  ])
  await sandbox.control('DELETE', 'faults')
  expect(await call()).toBe(true)
})
