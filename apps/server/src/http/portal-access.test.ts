import { expect, test } from 'vitest'
import { makeUser } from '../../test/factories.ts'
import { makeParticipant } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { createDb } from '../db/client.ts'
import { portalHolders } from '../db/schema/index.ts'
import { authenticateSession } from './session.ts'

const server = useServer()

test('portal access is the same, read with the session or separately', async () => {
  const apart = createDb(server.db.$client, { ...server.db.$jobs, spread: true })
  const works = await makeUser(server.db)
  const { companyId } = works
  const [lives, beside, client] = [
    await makeUser(server.db, { companyId }),
    await makeUser(server.db, { companyId }),
    await makeUser(server.db, { companyId, isAdmin: false }),
  ]
  await makeParticipant(server.db, { companyId, userId: lives.id })
  const { id: participantId } = await makeParticipant(server.db, { companyId, userId: client.id })
  await server.db.insert(portalHolders).values({ companyId, participantId, userId: beside.id })
  const spaces = []
  for (const { token } of [works, lives, beside, client]) {
    const actor = await authenticateSession(server.db, token)
    expect(await authenticateSession(apart, token)).toEqual(actor)
    spaces.push(actor.user.spaces)
  }
  expect(spaces).toEqual([['office'], ['office', 'portal'], ['office', 'portal'], ['portal']])
})
