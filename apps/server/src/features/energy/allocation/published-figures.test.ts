import { allocations } from '@voisol/contract/allocations'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const FROM = '2025-03-10'
const TO = '2025-03-11'
/** Watt-hours of a quarter-hour as mean watts, and as watt-minutes. */
const watts = (wattHours: number) => wattHours * 4
const exact = (wattHours: number) => wattHours * 60

const createTestScene = (produced = 1000) =>
  makeOperationFixture(server, {
    from: FROM,
    to: TO,
    producers: [watts(produced)],
    consumers: [800, 250, 300].map(watts),
  })
type Scene = Awaited<ReturnType<typeof createTestScene>>

async function oneStep({ token, consumers, producers }: Scene, id: string) {
  const { body } = await call(server, allocations.steps, { params: { id, day: FROM } }, { token })
  const at = (pointId: string) => body.points.find((p: { pointId: string }) => p.pointId === pointId).local[40]
  return { consumers: consumers.map((p) => at(p.id)), producer: at(producers[0]?.id ?? '') }
}

const shares = ({ consumers }: Scene) =>
  consumers.map(({ id }, i) => ({ pointId: id, share: [500_000, 300_000, 200_000][i] ?? 0 }))
const ranks = ({ consumers }: Scene) => consumers.map(({ id }, i) => ({ pointId: id, rank: i + 1 }))

// Reference figures in watt-minutes, rounded by largest remainder.
const VECTORS = [
  { method: 'static', of: shares, got: [500, 250, 200].map(exact), surplus: exact(50) },
  { method: 'default', of: () => [], got: [35556, 11111, 13333], surplus: 0 },
  { method: 'priority', of: ranks, got: [800, 200, 0].map(exact), surplus: 0 },
  { method: 'equal', of: () => [], got: [450, 250, 300].map(exact), surplus: 0 },
  { method: 'redistributed', of: shares, got: [32143, 15000, 12857], surplus: 0 },
]
for (const { method, of, got, surplus } of VECTORS)
  test(`${method}: gives the published figures over the API`, async () => {
    const here = await createTestScene()
    await requestKeyAdoption(server, here, { method, shares: of(here) })
    const run = await runAllocation(server, here, { from: FROM, to: TO })
    expect(run).toMatchObject({
      status: 'done',
      keys: [{ number: 1, method }],
      counts: { steps: 96, excluded: 0, estimated: 0 },
      totals: { produced: exact(1000) * 96, surplus: surplus * 96, consumed: exact(1350) * 96 },
      daysInForce: 1,
      staleAt: null,
    })
    expect(run.totals.allocated + run.totals.surplus).toBe(run.totals.produced)
    const step = await oneStep(here, run.id)
    expect(step).toEqual({ consumers: got, producer: exact(1000) - surplus })
    const proof = await call(server, allocations.proof, { params: { id: run.id } }, { token: here.token })
    expect(proof.body).toEqual({
      steps: 96,
      checked: 96,
      broken: 0,
      above: 0,
      resultHash: run.resultHash,
      sameHash: true,
      retiredBefore: null,
    })
  })
