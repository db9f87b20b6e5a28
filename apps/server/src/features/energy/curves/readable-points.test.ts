import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter, makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { authenticateSession } from '../../../http/session.ts'
import { listReadablePoints, type PointSelection } from './readable-points.ts'

const server = useServer()
const PARTICIPATION_DATES = { startsOn: '2025-03-07', endsOn: '2025-05-17' }

async function createTestScene() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const operationId = (await makeOperation(server.db, { companyId })).id
  const own = await makeMeter(server.db, { companyId, operationId, userId: client.id, ...PARTICIPATION_DATES })
  const other = await makeMeter(server.db, { companyId, operationId })
  return { admin, client, operationId, own: own.id, other: other.id }
}
const read = async ({ token }: { token: string }, wanted: PointSelection = {}) =>
  (await listReadablePoints(server.db, await authenticateSession(server.db, token), wanted)).map(({ id, spans }) => [
    id,
    spans,
  ])

test('lets an administrator read all points of the company, and none of another', async () => {
  const { admin, operationId, own, other } = await createTestScene()
  const foreign = await createTestScene()
  const whole = [{ from: '', to: null }]
  expect(new Map((await read(admin)) as [string, unknown][])).toEqual(
    new Map([
      [own, whole],
      [other, whole],
    ]),
  )
  expect(await read(admin, { operationId, pointIds: [own] })).toEqual([
    [own, [{ from: PARTICIPATION_DATES.startsOn, to: PARTICIPATION_DATES.endsOn }]],
  ])
  await expect(read(admin, { pointIds: [own, foreign.own] })).rejects.toMatchObject({ code: 'not-found' })
  expect(await read(admin, { operationId: foreign.operationId })).toEqual([])
})

test('lets a client read their own points within their days', async () => {
  const { client, own, other } = await createTestScene()
  expect(await read(client)).toEqual([[own, [{ from: PARTICIPATION_DATES.startsOn, to: PARTICIPATION_DATES.endsOn }]]])
  await expect(read(client, { pointIds: [other] })).rejects.toMatchObject({ code: 'not-found' })
})
