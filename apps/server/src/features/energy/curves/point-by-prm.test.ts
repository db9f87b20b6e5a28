import { curves } from '@voisol/contract/curves'
import { points } from '@voisol/contract/points'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { storeReadingsAndNotify } from './store-readings.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  admin = await makeUser(server.db)
})
const query = { from: '2026-02-02', to: '2026-02-03' }
const curve = (id: string, who = admin) => call(server, curves.series, { params: { id }, query }, who)

test('finds a point by PRM or by id inside the company only', async () => {
  const point = await makeMeter(server.db, { companyId: admin.companyId })
  const watts = new Int32Array(96).fill(137)
  const day = { pointId: point.id, day: '2026-02-02', step: 15 as const, watts, marks: null, quality: 1 as const }
  await storeReadingsAndNotify(server.db, admin.companyId, [day], { source: 'import', receivedAt: new Date() })
  const byPrm = await curve(point.prm)
  expect(byPrm.status).toBe(200)
  expect(byPrm.body).toEqual((await curve(point.id)).body)
  expect(byPrm.body.energyWh).toBe(3288)
  const versions = { params: { id: point.prm, day: '2026-02-02' } }
  expect((await call(server, curves.versions, versions, admin)).body.items).toHaveLength(1)
  expect((await call(server, points.get, { params: { id: point.prm } }, admin)).body.id).toBe(point.id)

  const stranger = await makeUser(server.db)
  expect((await curve(point.prm, stranger)).status).toBe(404)
  expect((await call(server, points.get, { params: { id: point.prm } }, stranger)).status).toBe(404)
  const theirs = await makeMeter(server.db, { companyId: stranger.companyId, prm: point.prm })
  expect((await curve(point.prm)).status).toBe(200)
  expect((await call(server, points.get, { params: { id: point.prm } }, stranger)).body.id).toBe(theirs.id)
  expect((await curve('19125759625000')).status).toBe(404)
  expect((await curve('123')).status).toBe(404)
})

test('refuses a PRM with points in both directions', async () => {
  const point = await makeMeter(server.db, { companyId: admin.companyId })
  const plant = await makeMeter(server.db, { companyId: admin.companyId, prm: point.prm, direction: 'production' })
  const { status, body } = await curve(point.prm)
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect(body.message).toContain(`${plant.id} (injection)`)
})
