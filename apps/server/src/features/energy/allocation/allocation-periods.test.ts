import { allocations } from '@voisol/contract/allocations'
import { addMonths } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestAllocationRun,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'

const server = useServer()
type Point = { pointId: string; total: number; local: number; classes: Record<string, { local: number }> }
const MINUTES = 15

async function points(id: string, token: string): Promise<Map<string, Point>> {
  const { body } = await call(server, allocations.points, { params: { id } }, { token })
  return new Map(body.items.map((point: Point) => [point.pointId, point]))
}

describe('inside a month', () => {
  test('applies an entry, an exit and a new key from their day on', async () => {
    const here = await makeOperationFixture(server, {
      from: '2025-06-01',
      to: '2025-07-01',
      producers: [1000],
      consumers: [
        600,
        { watts: 600, startsOn: '2025-06-11' },
        { watts: 600, startsOn: '2025-01-01', endsOn: '2025-06-21' },
      ],
    })
    const [a, b, c] = here.consumers.map(({ id }) => id)
    await requestKeyAdoption(server, here, { method: 'default' })
    await requestKeyAdoption(server, here, {
      method: 'priority',
      startsOn: '2025-06-26',
      shares: [
        { pointId: a ?? '', rank: 2 },
        { pointId: b ?? '', rank: 1 },
      ],
    })
    const run = await runAllocation(server, here, { from: '2025-06-01', to: '2025-07-01', kind: 'definitive' })
    expect(run).toMatchObject({ status: 'done', counts: { steps: 2880, excluded: 0 }, daysInForce: 30 })
    expect(run.keys.map((key: { method: string }) => key.method)).toEqual(['default', 'priority'])
    const found = await points(run.id, here.token)
    const days = (n: number) => n * 96 * MINUTES
    // 10 days with two members, 10 with three, 5 with two, then 5 where B has priority.
    const third = 10 * 96
    expect(found.get(a ?? '')?.local).toBe(days(10) * 500 + third * 5000 + days(5) * 500 + days(5) * 400)
    expect(found.get(b ?? '')?.local).toBe(third * 5000 + days(5) * 500 + days(5) * 600)
    expect(found.get(c ?? '')?.total).toBe(days(20) * 600)
    expect(run.totals).toMatchObject({ produced: days(30) * 1000, surplus: 0, allocated: days(30) * 1000 })
    const { body } = await call(server, allocations.days, { params: { id: run.id } }, { token: here.token })
    expect(body.items).toHaveLength(30)
    expect(body.items[0]).toMatchObject({ day: '2025-06-01', consumed: days(1) * 1200, excluded: 0 })
    const whole = await call(server, allocations.proof, { params: { id: run.id } }, { token: here.token })
    expect(whole.body).toMatchObject({ steps: 2880, checked: 2880, broken: 0, above: 0, sameHash: true })
  })

  test.each([
    { from: '2025-03-01', to: '2025-04-01', steps: 31 * 96 - 4, day: '2025-03-30', length: 92 },
    { from: '2025-10-01', to: '2025-11-01', steps: 31 * 96 + 4, day: '2025-10-26', length: 100 },
  ])('allocates $steps steps in a month with a clock change', async ({ from, to, steps, day, length }) => {
    const here = await makeOperationFixture(server, { from, to, producers: [900], consumers: [300, 300] })
    await requestKeyAdoption(server, here, { method: 'default' })
    const run = await runAllocation(server, here, { from, to })
    expect(run).toMatchObject({ counts: { steps, excluded: 0 }, totals: { allocated: steps * 600 * MINUTES } })
    const { body } = await call(server, allocations.steps, { params: { id: run.id, day } }, { token: here.token })
    expect(body.points.map((p: { local: number[] }) => p.local.length)).toEqual([length, length, length])
  })

  test('sums time classes and pairs to the total', async () => {
    const here = await makeOperationFixture(server, {
      from: '2025-03-30',
      to: '2025-04-03',
      producers: [1200, 800],
      consumers: [801, 300, 0],
    })
    await requestKeyAdoption(server, here, { method: 'default' })
    const run = await runAllocation(server, here, { from: '2025-03-30', to: '2025-04-03' })
    const items = [...(await points(run.id, here.token)).values()]
    for (const { local, classes } of items)
      expect(Object.values(classes).reduce((sum, part) => sum + part.local, 0)).toBe(local)
    const first = items.find(({ pointId }) => pointId === here.consumers[0]?.id)
    expect(Object.keys(first?.classes ?? {}).sort()).toEqual(['HCB', 'HCH', 'HPB', 'HPH'])
    const { body } = await call(server, allocations.pairs, { params: { id: run.id } }, { token: here.token })
    const sum = body.items.reduce((all: number, { energy }: { energy: number }) => all + energy, 0)
    expect(sum).toBe(run.totals.allocated)
    const [big] = here.producers
    const own = body.items.filter(({ producerId }: { producerId: string }) => producerId === big?.id)
    expect(own.reduce((all: number, { energy }: { energy: number }) => all + energy, 0)).toBe(
      items.find(({ pointId }) => pointId === big?.id)?.local,
    )
  })
})

describe('missing readings', () => {
  const hole = (at: number) => (at >= 40 && at < 44 ? -1 : 400)

  test('suspend the member and are counted, or estimated and counted on request', async () => {
    const here = await makeOperationFixture(server, {
      from: '2025-05-01',
      to: '2025-06-01',
      producers: [1000],
      consumers: [400, 400],
    })
    const [late] = here.consumers
    await storeReadingsAndNotify(server.db, here.companyId, [buildCurveDay(late?.id ?? '', '2025-06-01', hole)], {
      source: 'api',
      receivedAt: new Date(),
    })
    const meters = [...here.producers, here.consumers[1]]
    const rest = meters.map((point, n) => buildCurveDay(point?.id ?? '', '2025-06-01', n === 0 ? 1000 : 400))
    await storeReadingsAndNotify(server.db, here.companyId, rest, { source: 'api', receivedAt: new Date() })
    await requestKeyAdoption(server, here, { method: 'default' })
    const period = { from: '2025-06-01', to: '2025-06-02' }
    const signOff = { reason: 'Compteur remplacé ce jour-là.' }
    const plain = await runAllocation(server, here, { ...period, kind: 'definitive', signOff })
    expect(plain).toMatchObject({
      counts: { steps: 96, excluded: 0, consumerMissing: 4, estimated: 0 },
      totals: { allocated: (92 * 800 + 4 * 400) * MINUTES, produced: 96 * 1000 * MINUTES },
    })
    const steps = await call(
      server,
      allocations.steps,
      { params: { id: plain.id, day: '2025-06-01' } },
      { token: here.token },
    )
    for (const { pointId, local, total } of steps.body.points)
      expect([local[40], total[40]]).toEqual(
        pointId === late?.id ? [null, null] : pointId === here.producers[0]?.id ? [6000, 15_000] : [6000, 6000],
      )
    const filled = await runAllocation(server, here, { ...period, estimated: true })
    expect(filled).toMatchObject({
      counts: { excluded: 0, estimated: 4 },
      totals: { allocated: 96 * 800 * MINUTES },
      daysInForce: 0,
    })
    const proof = await call(server, allocations.proof, { params: { id: filled.id } }, { token: here.token })
    expect(proof.body).toMatchObject({ checked: 96, broken: 0, above: 0, sameHash: true })
    const refused = await requestAllocationRun(server, here, { ...period, kind: 'definitive', estimated: true })
    expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'estimated'])
  })
})

describe('invalid period', () => {
  test.each([
    { from: '2025-05-02', to: '2025-05-02', says: 'La fin de la période doit venir après son début.' },
    { from: '2023-01-01', to: '2025-01-02', says: 'La période compte au plus 24 mois\u00a0: raccourcissez-la.' },
    { from: '2025-05-01', to: addMonths(getToday(), 1), says: /La période doit être passée/ },
    { from: '2020-01-01', to: '2020-02-01', says: /Aucun consommateur ne participe/ },
    { from: '2025-05-01', to: '2025-05-02', says: /Aucune clé de répartition n’est en vigueur/ },
  ])('refuses $from to $to', async ({ from, to, says }) => {
    const here = await makeOperationFixture(server, {
      from: '2025-05-01',
      to: '2025-05-02',
      producers: [100],
      consumers: [100],
    })
    const { status, body } = await requestAllocationRun(server, here, { from, to })
    expect(status).toBe(422)
    expect(body.message).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says)
  })
})
