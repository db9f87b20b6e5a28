import { auth } from '@voisol/contract/auth'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { sessions, throttles } from '../../../db/schema/index.ts'
import { sha256 } from '../../../secrets.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const me = async (token: string) => (await call(server, auth.me, {}, { token })).status
const find = async (token: string) =>
  (
    await server.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, sha256(token)))
  )[0]

test('only its owner can end a session', async () => {
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
  const params = { id: (await find(owner.token))?.id }
  expect((await call(server, auth.revokeSession, { params }, { token: other.token })).status).toBe(404)
  expect(await me(owner.token)).toBe(200)
  const second = await makeSession(server.db, owner.id, owner.companyId)
  expect((await call(server, auth.revokeSession, { params }, { token: second })).status).toBe(200)
  expect([await me(owner.token), await me(second)]).toEqual([401, 200])
})

test('ends the other sessions of the user, but neither the current one nor those of others', async () => {
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
  const asking = await makeSession(server.db, owner.id, owner.companyId)
  const third = await makeSession(server.db, owner.id, owner.companyId)
  const { body } = await call(server, auth.revokeOtherSessions, {}, { token: asking })
  expect(body).toEqual({ success: true, revoked: 2 })
  const answers = await Promise.all([owner.token, third, asking, other.token].map(me))
  expect(answers).toEqual([401, 401, 200, 200])
})

test('a new access token is valid for an hour, and the previous one no longer', async () => {
  const { email } = await makeUser(server.db)
  const { body } = await call(server, auth.login, { body: { email, password: PASSWORD } })
  const renew = () => call(server, auth.refresh, { body: { refreshToken: body.refreshToken } })
  const renewed = await renew()
  expect(renewed.body).toMatchObject({ expiresIn: 3600 })
  expect([await me(body.token), await me(renewed.body.token)]).toEqual([401, 200])
  const left = Number((await find(renewed.body.token))?.tokenExpiresAt) - Date.now()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(3_600_000)
})

test('the token of a sign-in is valid for an hour, and its refresh token gives the next one', async () => {
  const { email } = await makeUser(server.db)
  const { body } = await call(server, auth.login, { body: { email, password: PASSWORD } })
  // What the published answer of a sign-in holds is unchanged.
  expect(Object.keys(body).sort()).toEqual(['refreshToken', 'success', 'token', 'user'])
  const age = (time: string) =>
    server.db
      .update(sessions)
      .set({ createdAt: sql`now() - ${time}::interval` })
      .where(eq(sessions.tokenHash, sha256(body.token)))
  await age('59 minutes')
  expect(await me(body.token)).toBe(200)
  await age('1 hour 1 second')
  const refused = await call(server, auth.me, {}, { token: body.token })
  expect([refused.status, refused.body.code]).toEqual([401, 'session-expired'])
  const renewed = await call(server, auth.refresh, { body: { refreshToken: body.refreshToken } })
  expect([renewed.status, await me(renewed.body.token)]).toEqual([200, 200])
})

test('a session idle for more than a day is not refreshed', async () => {
  const { email } = await makeUser(server.db)
  const { body } = await call(server, auth.login, { body: { email, password: PASSWORD } })
  const renew = (refreshToken: string) => call(server, auth.refresh, { body: { refreshToken } })
  const rest = (time: string) => server.db.update(sessions).set({ lastSeenAt: sql`now() - ${time}::interval` })
  await rest('23 hours 59 minutes')
  const renewed = await renew(body.refreshToken)
  expect(renewed.status).toBe(200)
  await rest('24 hours 1 minute')
  expect((await renew(renewed.body.refreshToken)).body.code).toBe('session-expired')
})
