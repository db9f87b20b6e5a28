import { users as endpoints } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, sessions } from '../../../db/schema/index.ts'

const server = useServer()

/** A user of two companies with a session on each. */
async function makeAdminAndMember() {
  const admin = await makeUser(server.db)
  const person = await makeUser(server.db)
  await server.db
    .insert(memberships)
    .values({ companyId: admin.companyId, userId: person.id, role: 'client', acceptedAt: new Date() })
  await makeSession(server.db, person.id, admin.companyId)
  const open = async () =>
    (await server.db.select().from(sessions).where(eq(sessions.userId, person.id))).map(({ companyId }) => companyId)
  const ask = (e: typeof endpoints.disable | typeof endpoints.revokeSessions) =>
    call(server, e, { params: { id: person.id } }, { token: admin.token })
  return { person, open, ask }
}

test('an administrator ends sessions on their own company only', async () => {
  const { person, open, ask } = await makeAdminAndMember()
  expect((await ask(endpoints.revokeSessions)).body.revoked).toBe(1)
  expect(await open()).toEqual([person.companyId])
})

test('a disabled member loses the sessions on that company only', async () => {
  const { person, open, ask } = await makeAdminAndMember()
  expect((await ask(endpoints.disable)).status).toBe(200)
  expect(await open()).toEqual([person.companyId])
})
