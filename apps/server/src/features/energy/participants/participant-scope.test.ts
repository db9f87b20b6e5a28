import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { participantScope, participationScope, pointScope } from './participant-scope.ts'

const server = useServer()
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()

async function company() {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const home = async (userId?: string) => {
    const participant = await makeParticipant(server.db, { companyId, ...(userId && { userId }) })
    const { id, pointId } = await makeParticipation(server.db, {
      companyId,
      operationId,
      participantId: participant.id,
    })
    return { participant: participant.id, participation: id, point: pointId }
  }
  const clients = [
    await makeUser(server.db, { companyId, isAdmin: false }),
    await makeUser(server.db, { companyId, isAdmin: false }),
  ]
  const homes = [await home(clients[0]?.id), await home(clients[1]?.id), await home()]
  return { homes, tokens: [admin.token, ...clients.map(({ token }) => token)] }
}
let here: Awaited<ReturnType<typeof company>>
beforeAll(async () => {
  here = await company()
  await company()
})

describe.each([
  ['participant', participants, participantScope],
  ['participation', participations, participationScope],
  ['point', points, pointScope],
] as const)('%s', (kind, table, scope) => {
  const seen = async (nth: number) => {
    const actor = await authenticateSession(server.db, here.tokens[nth] ?? '')
    return ids(await server.db.select({ id: table.id }).from(table).where(scope(actor)))
  }
  const own = (...homes: typeof here.homes) => homes.map((home) => home[kind]).sort()

  test('lets an administrator read all participants of the company, and none of another', async () => {
    expect(await seen(0)).toEqual(own(...here.homes))
  })

  test('lets a client read their own only', async () => {
    expect(await seen(1)).toEqual(own(...here.homes.slice(0, 1)))
    expect(await seen(2)).toEqual(own(...here.homes.slice(1, 2)))
  })
})
