import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEnedisClient } from '../../server/src/integrations/enedis/client.ts'
import { catchEnedisError, startTestSimulator, type TestSimulator } from '../../server/test/enedis-simulator.ts'
import { SIMULATOR_CLIENT } from './client.ts'
import type { SimulatedFault } from './simulator-state.ts'

const ACC = 'ACC00009001'
const HOMES = ['30000000000001', '30000000000002'] as const
const ROOF = '30000000000009'
const MONTH = { acc: ACC, from: '2026-10-01', to: '2026-11-01' }
const WEEK = { prm: HOMES[0], direction: 'consumption', from: '2026-10-19', to: '2026-10-26' } as const

let sandbox: TestSimulator
beforeAll(async () => {
  sandbox = await startTestSimulator()
  await sandbox.control('PUT', 'clock', { now: '2026-11-15T10:00:00Z' })
  const point = (prm: string, direction: string) => ({ prm, direction, from: '2025-01-01' })
  await sandbox.control('PUT', 'points', [...HOMES.map((prm) => point(prm, 'consumption')), point(ROOF, 'production')])
  const seat = (prm: string, role: string) => ({ prm, role, startsOn: '2026-01-01', endsOn: null })
  const points = [...HOMES.map((prm) => seat(prm, 'cons')), seat(ROOF, 'prod')]
  await sandbox.control('PUT', 'agreements', [
    { acc: ACC, name: 'Essai', startsOn: '2026-01-01', endsOn: null, points },
  ])
})
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.control('DELETE', 'faults'))

const open = (backend: 'dataconnect-v2' | 'dataconnect-v1' = 'dataconnect-v2') =>
  createEnedisClient({ host: sandbox.url, backend, ...SIMULATOR_CLIENT })
const plant = (kind: SimulatedFault['kind']) => sandbox.control('PUT', 'faults', [{ kind, times: 1 }])
const quantities = async (prm: string = HOMES[0]) => {
  const found = await open().definitiveEnergy({ ...MONTH, prm, role: 'cons' })
  return new Map(found.map(({ type, name, wh }) => [`${type} ${name}`, wh]))
}
const series = async (prm: string = HOMES[0]) => {
  const [one] = await open().series({ ...MONTH, type: 'autocons', prm })
  return one?.points.map(({ watts }) => watts) ?? []
}

describe('a fault in the figures', () => {
  test('swapped-members: each home has the figures of the other', async () => {
    const [first, second] = [await quantities(), await quantities(HOMES[1])]
    await plant('swapped-members')
    expect(await quantities()).toEqual(second)
    await plant('swapped-members')
    expect(await quantities(HOMES[1])).toEqual(first)
    expect(first).not.toEqual(second)
  })

  test('shifted-day: a day has the figures of the day before', async () => {
    const right = await series()
    await plant('shifted-day')
    const late = await series()
    expect(late.slice(96, 96 * 20)).toEqual(right.slice(0, 96 * 19))
    expect(late).toHaveLength(right.length)
  })

  test('one-percent: a little more is shared, and the sums still hold', async () => {
    const right = await quantities()
    await plant('one-percent')
    const more = await quantities()
    expect((more.get('autocons HPB') ?? 0) / (right.get('autocons HPB') ?? 1)).toBeCloseTo(1.01, 2)
    expect([...more.keys()]).toEqual([...right.keys()])
  })

  test('tripled: detected where the rounding of a class is inconsistent', async () => {
    const right = await quantities()
    const of = (type: string, name: string) => right.get(`${type} ${name}`) ?? 0
    const exact = ['HPB', 'HCB'].every((name) => of('cons', name) === of('autocons', name) + of('complement', name))
    await plant('tripled')
    if (exact) expect(await quantities()).toEqual(new Map([...right].map(([name, wh]) => [name, wh * 3])))
    else expect((await catchEnedisError(quantities())).fault.code).toBe('mismatch')
    await plant('tripled')
    const [watts] = await open().series({ ...MONTH, type: 'autocons', prm: HOMES[0] })
    expect(watts?.points.every((point) => point.watts % 3 === 0)).toBe(true)
  })

  test('dropped-class: well formed, to be found by the reconciliation', async () => {
    await plant('dropped-class')
    expect([...(await quantities()).keys()]).toEqual(['cons HPB', 'autocons HPB', 'complement HPB'])
  })
})

describe('a fault in the format', () => {
  test.each(['negative', 'other-point', 'other-year', 'empty-value', 'empty'] as const)(
    '%s: quantities, series, curves and energies are refused',
    async (kind) => {
      for (const ask of [
        () => quantities(),
        () => series(),
        () => open().loadCurve(WEEK),
        () => open('dataconnect-v1').loadCurve(WEEK),
        () => open().dailyEnergy(WEEK),
        () => open('dataconnect-v1').dailyEnergy(WEEK),
      ]) {
        await plant(kind)
        const { fault } = await catchEnedisError(ask())
        expect([fault.nature, fault.status]).toEqual(['answer', 200])
      }
    },
  )

  test.each(['kilo', 'wrong-step', 'off-step'] as const)('%s: a curve is refused', async (kind) => {
    for (const backend of ['dataconnect-v2', 'dataconnect-v1'] as const) {
      await plant(kind)
      expect((await catchEnedisError(open(backend).loadCurve(WEEK))).fault.code).toBe('mismatch')
    }
  })

  test('descending: a week with the repeated hour is read correctly', async () => {
    for (const backend of ['dataconnect-v2', 'dataconnect-v1'] as const) {
      const right = await open(backend).loadCurve(WEEK)
      await plant('descending')
      expect(await open(backend).loadCurve(WEEK)).toEqual(right)
      expect(right.points).toHaveLength(6 * 96 + 100)
    }
  })
})
