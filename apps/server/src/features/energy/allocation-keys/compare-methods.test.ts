import { allocations } from '@voisol/contract/allocations'
import { keys } from '@voisol/contract/keys'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  makeOperationFixture,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { computeGiniIndex } from './compare-methods.ts'

const server = useServer()
const PERIOD = { from: '2025-04-28', to: '2025-05-03' }

test('compares every method and the drafts on the same readings', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [4000], consumers: [3200, 1000, 1200] })
  const compare = async () => {
    const params = { id: here.operation.id }
    const { body } = await call(server, keys.compare, { params, query: PERIOD }, { token: here.token })
    return body
  }
  const bare = await compare()
  expect(bare).toMatchObject({ steps: 480, excluded: 0 })
  const labels = bare.results.map(({ label }: { label: string }) => label)
  expect(labels).toEqual([
    'Statique (parts selon la consommation de la période)',
    'Dynamique par défaut',
    'Par priorité (rangs par consommation croissante)',
    'Statique avec redistribution (parts selon la consommation de la période)',
    'Parts égales',
  ])
  await requestKeyAdoption(server, here, {
    method: 'static',
    shares: here.consumers.map(({ id }, i) => ({ pointId: id, share: [500_000, 300_000, 200_000][i] ?? 0 })),
  })
  await requestKeyDraft(server, here, {
    method: 'priority',
    startsOn: '2025-05-01',
    shares: here.consumers.map(({ id }, i) => ({ pointId: id, rank: i + 1 })),
  })
  const { results } = await compare()
  const find = (label: string) => results.find((result: { label: string }) => result.label === label)
  expect(find('Statique (parts de la version 1)')).toMatchObject({
    method: 'static',
    keyId: null,
    produced: 480_000 * 60,
    allocated: 456_000 * 60,
    surplus: 24_000 * 60,
    consumed: 648_000 * 60,
    selfConsumption: 0.95,
  })
  expect(find('Dynamique par défaut')).toMatchObject({ surplus: 0, selfConsumption: 1, selfProduction: 1000 / 1350 })
  expect(find('Dynamique par défaut').inequality).toBeCloseTo(0, 4)
  const draft = find('Version 2 (brouillon)\u00a0: Par priorité')
  const got = here.consumers.map(
    ({ id }) => draft.consumers.find((consumer: { pointId: string }) => consumer.pointId === id).allocated,
  )
  expect(got).toEqual([384_000 * 60, 96_000 * 60, 0])
  expect(draft.inequality).toBeGreaterThan(0.3)
  const long = { params: { id: here.operation.id }, query: { from: '2023-01-01', to: '2024-02-01' } }
  expect((await call(server, keys.compare, long, { token: here.token })).status).toBe(422)
})

test('allocates the compared figures to the unit with the key created from them', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [997], consumers: [811, 419, 307] })
  const params = { id: here.operation.id }
  const { body } = await call(server, keys.compare, { params, query: PERIOD }, { token: here.token })
  for (const [at, method] of ['static', 'redistributed', 'priority'].entries()) {
    const tried = body.results.find((result: { method: string }) => result.method === method)
    await requestKeyAdoption(server, here, { method, startsOn: `2025-04-1${at}`, shares: tried.shares })
    const run = await runAllocation(server, here, PERIOD)
    expect(run.totals).toMatchObject({ allocated: tried.allocated, surplus: tried.surplus, consumed: tried.consumed })
    const points = await call(server, allocations.points, { params: { id: run.id } }, { token: here.token })
    const local = new Map(
      points.body.items.map((point: { pointId: string; local: number }) => [point.pointId, point.local]),
    )
    for (const { pointId, allocated } of tried.consumers) expect(local.get(pointId)).toBe(allocated)
    if (method !== 'priority')
      expect(tried.shares.reduce((sum: number, { share }: { share: number }) => sum + share, 0)).toBe(1_000_000)
  }
})

test('computes the inequality index', () => {
  expect(computeGiniIndex([0.5, 0.5, 0.5])).toBeCloseTo(0)
  expect(computeGiniIndex([0, 0, 0, 1])).toBeCloseTo(0.75)
  expect(computeGiniIndex([null, 1])).toBe(0)
  expect(computeGiniIndex([0, null])).toBeNull()
})

test('sums months computed in parallel, including the short day of March', async () => {
  const months = ['2025-02-01', '2025-03-01', '2025-04-01', '2025-05-01']
  const [from = '', , , to = ''] = months
  const here = await makeOperationFixture(server, { from, to, producers: [900], consumers: [700, 450] })
  const byNeed = async (query: { from: string; to: string }) => {
    const { body } = await call(
      server,
      keys.compare,
      { params: { id: here.operation.id }, query },
      { token: here.token },
    )
    const { consumers } = body.results.find(({ method }: { method: string }) => method === 'default')
    return { steps: body.steps, allocated: consumers.map(({ allocated }: { allocated: number }) => allocated) }
  }
  const parts: Awaited<ReturnType<typeof byNeed>>[] = []
  for (const [n, month] of months.slice(0, -1).entries())
    parts.push(await byNeed({ from: month, to: months[n + 1] ?? to }))
  expect(parts.map(({ steps }) => steps)).toEqual([28 * 96, 31 * 96 - 4, 30 * 96])
  const added = (i: number) => parts.reduce((sum, { allocated }) => sum + allocated[i], 0)
  expect(await byNeed({ from, to })).toEqual({ steps: 89 * 96 - 4, allocated: [added(0), added(1)] })
})
