import { auth } from '@voisol/contract/auth'
import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, passwordResets, throttles } from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { generateToken, sha256 } from '../../../secrets.ts'
import { switchCompany } from './auth.ts'
import { sendPasswordReset } from './change-password.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

test.each([
  ['disabled', { disabledAt: new Date() }],
  ['not accepted', { acceptedAt: null }],
])('cannot switch to a company where the person is %s', async (_, state) => {
  const { id: userId, companyId, token } = await makeUser(server.db)
  const second = await makeCompany(server.db)
  await server.db
    .insert(memberships)
    .values({ companyId: second.id, userId, role: 'admin', acceptedAt: new Date(), ...state })
  const move = () => call(server, auth.switchCompany, { body: { companyId: second.id } }, { token })
  const actor = await authenticateSession(server.db, token)
  await expect(switchCompany(server.db, actor, second.id)).rejects.toMatchObject({ code: 'not-found' })
  expect((await move()).status).toBe(404)
  expect((await call(server, auth.me, {}, { token })).body.companyId).toBe(companyId)
  const own = and(eq(memberships.companyId, second.id), eq(memberships.userId, userId))
  await server.db.update(memberships).set({ disabledAt: null, acceptedAt: new Date() }).where(own)
  expect((await move()).body.companyId).toBe(second.id)
})

test('no limit is reached by four wrong passwords, the right one, and four more', async () => {
  const { email } = await makeUser(server.db)
  const login = (password: string) => call(server, auth.login, { body: { email, password } })
  const wrong = async () => {
    for (let n = 0; n < 4; n++) expect((await login('pas le bon mot de passe')).status).toBe(401)
    await server.db.delete(throttles).where(eq(throttles.key, 'login network 127.0.0.1'))
  }
  await wrong()
  expect((await login(PASSWORD)).status).toBe(200)
  await wrong()
  expect((await login(PASSWORD)).status).toBe(200)
})

test('the invitation of a person disabled since is refused', async () => {
  const { companyId } = await makeUser(server.db)
  const guest = await makeUser(server.db)
  const token = generateToken()
  const invitationExpiresAt = new Date(Date.now() + 60_000)
  const row = { companyId, userId: guest.id, role: 'client', invitationHash: sha256(token), invitationExpiresAt }
  await server.db.insert(memberships).values({ ...row, disabledAt: new Date() })
  const read = async () => (await call(server, auth.invitation, { params: { token } })).status
  expect(await read()).not.toBe(200)
  const own = and(eq(memberships.companyId, companyId), eq(memberships.userId, guest.id))
  await server.db.update(memberships).set({ disabledAt: null }).where(own)
  expect(await read()).toBe(200)
})

test('a password reset link expires after an hour', async () => {
  const { id, email } = await makeUser(server.db)
  const asked = Date.now()
  await sendPasswordReset(server.deps, email)
  const [reset] = await server.db.select().from(passwordResets).where(eq(passwordResets.userId, id))
  const lasts = Number(reset?.expiresAt) - asked
  expect(lasts).toBeGreaterThanOrEqual(3_600_000)
  expect(Number(reset?.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
})
