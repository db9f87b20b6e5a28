import { operations as endpoints } from '@voisol/contract/operations'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { events, operations, participants, participations, points } from '../../../db/schema/index.ts'

const server = useServer()
const PRM = '19125759600417'
const home = { lastName: 'Lambert', firstName: 'Zoé', prm: PRM }

test('reports exactly what creating would refuse, and stores nothing', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const other = await makeOperation(server.db, { companyId, name: 'Halle' })
  const { id: pointId } = await makePoint(server.db, { companyId, prm: PRM, direction: 'consumption' })
  await makeParticipation(server.db, { companyId, operationId: other.id, pointId })
  const before = await server.db.select().from(events).where(eq(events.companyId, companyId))
  const roof = { name: 'École', prm: '30001234567893', direction: 'production', segment: 'C5', peakWatts: 36_500 }
  const body = { name: 'Tilleuls', participants: [roof, home] }
  const checked = await call(server, endpoints.check, { body }, user)
  expect(checked.status).toBe(200)
  const created = await call(server, endpoints.create, { body }, user)
  expect(created.status).toBe(422)
  expect(checked.body.issues).toEqual(created.body.issues)
  expect(checked.body.issues.map(({ path }: { path: string }) => path)).toEqual([
    'participants.0.segment',
    'participants.1.prm',
  ])
  const fine = await call(server, endpoints.check, { body: { ...body, participants: [] } }, user)
  expect(fine.body).toEqual({ issues: [] })
  expect(await server.db.select().from(operations).where(eq(operations.companyId, companyId))).toHaveLength(1)
  expect(await server.db.select().from(participants).where(eq(participants.lastName, 'Lambert'))).toEqual([])
  expect(await server.db.select().from(events).where(eq(events.companyId, companyId))).toHaveLength(before.length)
})

test('adds a battery of the wizard with both directions, or not at all', async () => {
  const user = await makeUser(server.db)
  const battery = {
    name: 'Batterie du préau',
    kind: 'organisation',
    prm: '19125759600713',
    storage: true,
    segment: 'C5',
  }
  const body = { name: 'Préau', participants: [battery, home] }
  const { status, body: made } = await call(server, endpoints.create, { body }, user)
  expect(status).toBe(200)
  const rows = await server.db
    .select({ prm: points.prm, direction: points.direction, storage: points.storage })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .where(eq(participations.operationId, made.id))
    .orderBy(points.prm, points.direction)
  expect(rows).toEqual([
    { prm: PRM, direction: 'consumption', storage: false },
    { prm: battery.prm, direction: 'consumption', storage: true },
    { prm: battery.prm, direction: 'production', storage: true },
  ])
  const again = await call(server, endpoints.check, { body: { name: 'Autre', participants: [battery] } }, user)
  expect(again.body.issues[0]).toMatchObject({ path: 'participants.0.prm' })
})
