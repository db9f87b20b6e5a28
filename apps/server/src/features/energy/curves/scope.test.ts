import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeMeter } from '../../../../test/factories-curves.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { useServer } from '../../../../test/server.ts'
import { findActor } from '../../../http/session.ts'
import { readablePoints, type Wanted } from './scope.ts'

const server = useServer()
const HELD = { startsOn: '2025-03-07', endsOn: '2025-05-17' }

async function scene() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const operationId = (await makeOperation(server.db, { companyId })).id
  const own = await makeMeter(server.db, { companyId, operationId, userId: client.id, ...HELD })
  const other = await makeMeter(server.db, { companyId, operationId })
  return { admin, client, operationId, own: own.id, other: other.id }
}
const read = async ({ token }: { token: string }, wanted: Wanted = {}) =>
  (await readablePoints(server.db, await findActor(server.db, token), wanted)).map(({ id, spans }) => [id, spans])

test('an administrator reads all of the company, the whole of a point, and nothing of another company', async () => {
  const { admin, operationId, own, other } = await scene()
  const foreign = await scene()
  const whole = [{ from: '', to: null }]
  expect(new Map((await read(admin)) as [string, unknown][])).toEqual(
    new Map([
      [own, whole],
      [other, whole],
    ]),
  )
  expect(await read(admin, { operationId, pointIds: [own] })).toEqual([
    [own, [{ from: HELD.startsOn, to: HELD.endsOn }]],
  ])
  await expect(read(admin, { pointIds: [own, foreign.own] })).rejects.toMatchObject({ code: 'not-found' })
  expect(await read(admin, { operationId: foreign.operationId })).toEqual([])
})

test('a client reads their own points, within their days', async () => {
  const { client, own, other } = await scene()
  expect(await read(client)).toEqual([[own, [{ from: HELD.startsOn, to: HELD.endsOn }]]])
  await expect(read(client, { pointIds: [other] })).rejects.toMatchObject({ code: 'not-found' })
})
