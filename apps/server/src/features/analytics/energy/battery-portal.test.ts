import { energy } from '@voisol/contract/energy'
import { type Point, points } from '@voisol/contract/points'
import { search } from '@voisol/contract/search'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeBatteryFixture,
  QUARTERS_BY_DAY,
  requestKeyAdoption,
  runAllocation,
  STORAGE_PERIOD,
  sumCurveEnergy,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { toWh } from './energy-totals.ts'

const server = useServer()
let client: Awaited<ReturnType<typeof makeUser>>

/** A portal client with only the two points of a battery. */
beforeAll(async () => {
  const scene = await makeBatteryFixture(server)
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, STORAGE_PERIOD)
  client = await makeUser(server.db, { companyId: scene.companyId, role: 'client' })
  await server.db.execute(sql`
    update participants set user_id = ${client.id}
     where company_id = ${scene.companyId} and id in (
       select m.participant_id from participations m join points p on p.company_id = m.company_id and p.id = m.point_id
        where p.company_id = ${scene.companyId} and p.storage)`)
})

const ask = async (endpoint: Parameters<typeof call>[1], query: object) => {
  const answer = await call(server, endpoint, { query }, client)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const own = async (direction: string): Promise<string> => {
  const { items }: { items: Point[] } = await ask(points.list, {})
  expect(items.map(({ storage }) => storage)).toEqual([true, true])
  return items.find((point) => point.direction === direction)?.id ?? ''
}

test('shows a battery’s charge and release as metered, in parts that add up', async () => {
  const { current: charged } = await ask(energy.summary, { ...STORAGE_PERIOD, pointId: await own('consumption') })
  expect(charged).toMatchObject({ consumed: toWh(sumCurveEnergy('charge', QUARTERS_BY_DAY)), produced: 0 })
  expect(charged.allocated).toBeGreaterThan(0)
  expect(charged.allocated + charged.complement + charged.pendingConsumed).toBeCloseTo(charged.consumed, 2)
  const { current: released } = await ask(energy.summary, { ...STORAGE_PERIOD, pointId: await own('production') })
  expect(released).toMatchObject({ produced: toWh(sumCurveEnergy('release', QUARTERS_BY_DAY)), consumed: 0 })
  expect(released.shared).toBeGreaterThan(0)
  expect(released.shared + released.surplus + released.pendingProduced).toBeCloseTo(released.produced, 2)
})

test('counts a battery’s total as storage, and not as its holder’s consumption or production', async () => {
  const { current } = await ask(energy.summary, STORAGE_PERIOD)
  expect(current).toMatchObject({ consumed: 0, produced: 0, allocated: 0, shared: 0 })
  expect(current.storage).toMatchObject({
    charged: toWh(sumCurveEnergy('charge', QUARTERS_BY_DAY)),
    released: toWh(sumCurveEnergy('release', QUARTERS_BY_DAY)),
  })
})

test('names no other member of the operation to the client', async () => {
  const answers = [
    await ask(energy.summary, STORAGE_PERIOD),
    await ask(energy.flow, STORAGE_PERIOD),
    await ask(search.find, { q: 'voisin' }),
  ]
  expect(JSON.stringify(answers)).not.toMatch(/Maison|Atelier|Toit/)
})
