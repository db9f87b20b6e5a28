import { addDays, dayStart } from '@voisol/energy/calendar'
import { SIMULATOR_CLIENT } from '@voisol/simulator/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../../test/enedis-simulator.ts'
import type { EnedisInterface } from './call-templates.ts'
import { createEnedisClient } from './client.ts'
import { EnedisError } from './enedis-faults.ts'
import type { Direction, EnedisClient, ExchangeTrace } from './enedis-types.ts'

const ACC = 'ACC00009001'
const CONS = ['40000000000001', '40000000000002'] as const
const PROD = '40000000000009'
const HALF = '40000000000005'
const BACKENDS = ['dataconnect-v2', 'dataconnect-v1', 'holder'] as const

let sandbox: TestSimulator
beforeAll(async () => {
  sandbox = await startTestSimulator()
  await sandbox.control('PUT', 'clock', { now: '2026-11-15T10:00:00Z' })
  const point = (prm: string, direction: Direction, step = 15) => ({ prm, direction, step, from: '2025-06-01' })
  await sandbox.control('PUT', 'points', [
    ...CONS.map((prm) => point(prm, 'consumption')),
    point(PROD, 'production'),
    point(HALF, 'consumption', 30),
  ])
  const seat = (prm: string, role: string) => ({ prm, role, startsOn: '2026-01-01', endsOn: null })
  await sandbox.control('PUT', 'agreements', [
    {
      acc: ACC,
      name: 'Essai',
      startsOn: '2026-01-01',
      endsOn: null,
      key: 'default',
      points: [...CONS.map((prm) => seat(prm, 'cons')), seat(PROD, 'prod')],
    },
  ])
})
afterAll(() => sandbox.stop())

const open = (
  backend: EnedisInterface,
  secret: string = SIMULATOR_CLIENT.clientSecret,
  traces: ExchangeTrace[] = [],
): EnedisClient =>
  createEnedisClient({
    host: sandbox.url,
    backend,
    clientId: SIMULATOR_CLIENT.clientId,
    clientSecret: secret,
    listen: (trace) => traces.push(trace),
  })
const catchFault = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof EnedisError)) throw new Error(`no fault: ${JSON.stringify(error)}`)
  return error.fault
}

describe.each(BACKENDS)('%s', (backend) => {
  test('gives a token, or the reason for a refusal', async () => {
    const traces: ExchangeTrace[] = []
    await open(backend, undefined, traces).agreements()
    expect(traces.map(({ request, status }) => [request.split('/').at(-1), status])).toEqual([
      ['token', 200],
      ['agreements', 200],
    ])
    expect(await catchFault(open(backend, 'faux').agreements())).toMatchObject({
      code: 'invalid_client',
      nature: 'auth',
    })
  })

  test.each([
    [CONS[0], 'consumption', 15],
    [PROD, 'production', 15],
    [HALF, 'consumption', 30],
  ] as const)('gives a week of %s, %s', async (prm, direction, minutes) => {
    const curve = await open(backend).loadCurve({ prm, direction, from: '2026-11-02', to: '2026-11-09' })
    expect(curve).toMatchObject({ prm, direction })
    const count = (7 * 1440) / minutes
    expect(curve.points.map(({ end }) => end)).toEqual(
      Array.from({ length: count }, (_, at) => dayStart('2026-11-02') + (at + 1) * minutes),
    )
    expect(curve.points.every((point) => point.minutes === minutes && point.quality === 'raw')).toBe(true)
    expect(curve.points.some(({ watts }) => watts > 0)).toBe(true)
  })

  test.each([
    ['2026-03-29', 92],
    ['2025-10-26', 100],
    ['2026-10-25', 100],
  ])('the day the clock changes on %s has %i quarter hours', async (day, quarters) => {
    const asked = { prm: CONS[0], direction: 'consumption' as const, from: day, to: addDays(day, 1) }
    const { points } = await open(backend).loadCurve(asked)
    expect(points.map(({ end }) => end)).toEqual(
      Array.from({ length: quarters }, (_, at) => dayStart(day) + (at + 1) * 15),
    )
  })

  test.each([
    [CONS[0], 'consumption'],
    [PROD, 'production'],
  ] as const)('daily energies of %s equal those of its curve', async (prm, direction) => {
    const enedis = open(backend)
    const asked = { prm, direction, from: '2026-10-24', to: '2026-10-27' }
    const days = await enedis.dailyEnergy(asked)
    expect(days.map(({ day }) => day)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
    const { points } = await enedis.loadCurve(asked)
    const energy = points.reduce((sum, { watts, minutes }) => sum + watts * minutes, 0) / 60
    expect(Math.abs(days.reduce((sum, { wh }) => sum + wh, 0) - energy)).toBeLessThan(2)
  })

  test('gives the perimeter, an agreement and its points', async () => {
    const enedis = open(backend)
    expect(await enedis.perimeter()).toEqual([...CONS, HALF, PROD].sort())
    expect(await enedis.agreements()).toEqual([{ acc: ACC, name: 'Essai', startsOn: '2026-01-01', endsOn: null }])
    expect(await enedis.agreement(ACC)).toContainEqual({
      prm: PROD,
      role: 'prod',
      startsOn: '2026-01-01',
      endsOn: null,
    })
  })

  test('gives the series of a month with a clock change, of one point and of all', async () => {
    const enedis = open(backend)
    const asked = { acc: ACC, from: '2026-10-01', to: '2026-11-01' }
    const [own, ...none] = await enedis.series({ ...asked, type: 'autocons', prm: CONS[0] })
    expect(none).toEqual([])
    expect(own).toMatchObject({ prm: CONS[0], type: 'autocons', direction: 'consumption' })
    expect(own?.points).toHaveLength(2980)
    const [other] = await enedis.series({ ...asked, type: 'autocons', prm: CONS[1] })
    const [all] = await enedis.series({ ...asked, type: 'autocons' })
    expect(all?.prm).toBe('')
    expect(all?.points.map(({ watts }) => watts)).toEqual(
      own?.points.map(({ watts }, at) => watts + (other?.points[at]?.watts ?? 0)),
    )
  })

  test('gives definitive quantities for consumers and producers', async () => {
    const enedis = open(backend)
    const asked = { acc: ACC, from: '2026-10-01', to: '2026-11-01' }
    const consumed = await enedis.definitiveEnergy({ ...asked, prm: CONS[0], role: 'cons' })
    expect(consumed.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'cons HPB',
      'cons HCB',
      'autocons HPB',
      'autocons HCB',
      'complement HPB',
      'complement HCB',
    ])
    const produced = await enedis.definitiveEnergy({ ...asked, prm: PROD, role: 'prod' })
    expect(new Set(produced.map(({ type }) => type))).toEqual(new Set(['prod', 'autocons', 'surplus']))
    expect(produced.every(({ calendar, wh }) => calendar === 'DISTRIB' && wh % 1000 === 0)).toBe(true)
  })

  test('gives services, and the keys of a producer', async () => {
    const enedis = open(backend)
    const services = await enedis.services(CONS[0])
    expect(services).toContainEqual({ active: true, startsOn: '2025-06-01', endsOn: '2028-05-31', kind: 'CDC' })
    expect(await enedis.services('49999999999999')).toEqual([])
    const csv = `Horodate;${CONS.join(';')}\n2026-12-01 00:00:00;33,3;66,6\n`
    await enedis.uploadKeys({ acc: ACC, producerPrm: PROD, csv })
    expect((await sandbox.control('GET', 'state')).uploads.at(-1)).toMatchObject({ acc: ACC, prm: PROD, csv })
    const over = csv.replace('33,3', '33,5')
    const refused = await catchFault(enedis.uploadKeys({ acc: ACC, producerPrm: PROD, csv: over }))
    expect(refused).toMatchObject({ code: 'SGT400', nature: 'request' })
  })

  test.each([
    ['a stranger', '49999999999999', 'consumption', '2026-11-14', '2026-11-15', 'consent'],
    ['the wrong direction', PROD, 'consumption', '2026-11-14', '2026-11-15', 'request'],
    ['eight days', CONS[0], 'consumption', '2026-11-01', '2026-11-09', 'request'],
    ['an old day', CONS[0], 'consumption', '2024-10-01', '2024-10-02', 'request'],
    ['before the consent', CONS[0], 'consumption', '2025-05-31', '2025-06-02', 'request'],
    ['tomorrow', CONS[0], 'consumption', '2026-11-15', '2026-11-16', 'request'],
    ['no point', '12', 'consumption', '2026-11-14', '2026-11-15', 'request'],
  ] as const)('%s is refused with its own reason', async (_, prm, direction, from, to, nature) => {
    const fault = await catchFault(open(backend).loadCurve({ prm, direction, from, to }))
    expect(fault.nature).toBe(nature)
    expect(fault.explanation).not.toBe('')
  })

  test.each([
    ['withdrawn', 'consent'],
    ['opposed', 'consent'],
    ['moved', 'consent'],
  ])('a contract holder who is %s', async (state, nature) => {
    await sandbox.control('PUT', 'consents', { prm: HALF, state })
    const asked = { prm: HALF, direction: 'consumption' as const, from: '2026-11-14', to: '2026-11-15' }
    expect(await catchFault(open(backend).loadCurve(asked))).toMatchObject({ nature })
    await sandbox.control('PUT', 'consents', { prm: HALF, state: 'active' })
    expect((await open(backend).loadCurve(asked)).points).toHaveLength(48)
  })

  test('data not available yet, and points that are not ours, are refused', async () => {
    const enedis = open(backend)
    const day = { prm: CONS[0], direction: 'consumption' as const, from: '2026-11-14', to: '2026-11-15' }
    const late = {
      prm: CONS[0],
      direction: 'consumption',
      day: '2026-11-14',
      watts: null,
      from: '2026-11-16T08:00:00Z',
    }
    await sandbox.control('PUT', 'readings', [late])
    expect((await catchFault(enedis.loadCurve(day))).nature).toBe('no-data')
    await sandbox.control('PUT', 'readings', [{ ...late, from: '2026-11-15T08:00:00Z' }])
    expect((await enedis.loadCurve(day)).points).toHaveLength(96)
    const asked = { type: 'cons' as const, from: '2026-10-01', to: '2026-11-01' }
    expect((await catchFault(enedis.series({ ...asked, acc: 'ACC00009999' }))).nature).toBe('consent')
    expect((await catchFault(enedis.series({ ...asked, acc: 'autre' }))).nature).toBe('request')
    const now = { ...asked, acc: ACC, from: '2026-11-01', to: '2026-11-15' }
    expect((await catchFault(enedis.series(now))).nature).toBe('no-data')
  })
})
