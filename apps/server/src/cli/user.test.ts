import { auth } from '@voisol/contract/auth'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../test/client.ts'
import { makeSession, makeUser } from '../../test/factories.ts'
import { waitForLink } from '../../test/mails.ts'
import { useServer } from '../../test/server.ts'
import { memberships, passkeys, sessions, throttles, users } from '../db/schema/index.ts'
import { runResetPasswordCommand, runUserGrantCommand } from './user.ts'

const server = useServer()
const SQUATTER_PASSWORD = 'le secret du squatteur'
let said: string[] = []
let count = 0
beforeEach(async () => {
  said = []
  vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text))
  await server.db.delete(throttles)
})
afterEach(() => void vi.restoreAllMocks())

/** Registered with a passkey by someone who does not control the mailbox of that address. */
async function registerVictimAddress() {
  const email = `victime${++count}@exemple.fr`
  const names = { firstName: 'Ana', lastName: 'Roux', companyName: 'Essai' }
  const { body } = await call(server, auth.register, { body: { ...names, email, password: SQUATTER_PASSWORD } })
  const id = String(body.user.id)
  const key = { credentialId: `cle-${count}`, publicKey: Buffer.from('cle'), counter: 0, transports: [], name: 'Clé' }
  await server.db.insert(passkeys).values({ userId: id, ...key })
  return { email, id }
}
const login = (email: string, password: string) => call(server, auth.login, { body: { email, password } })
const countKeys = (id: string) => server.db.$count(passkeys, eq(passkeys.userId, id))

test('granting admin at an unconfirmed address removes the password and passkeys set before', async () => {
  const { companyId } = await makeUser(server.db)
  const { email, id } = await registerVictimAddress()
  await runUserGrantCommand(server.deps, { email, company: String(companyId) })
  const role = and(eq(memberships.companyId, companyId), eq(memberships.userId, id), eq(memberships.role, 'admin'))
  expect(await server.db.$count(memberships, role)).toBe(1)
  expect((await login(email, SQUATTER_PASSWORD)).status).toBe(401)
  expect([await countKeys(id), await server.db.$count(sessions, eq(sessions.userId, id))]).toEqual([0, 0])
  expect(said.join('\n')).toContain('«\u00a0Mot de passe oublié\u00a0»')
  await call(server, auth.forgotPassword, { body: { email } })
  const token = await waitForLink(server, email, 'reset')
  const body = { token, password: 'la vraie phrase de sa propriétaire' }
  expect((await call(server, auth.resetPassword, { body })).status).toBe(200)
})

test('granting admin at a confirmed address keeps the password and sessions', async () => {
  const { companyId } = await makeUser(server.db)
  const person = await makeUser(server.db)
  await runUserGrantCommand(server.deps, { email: person.email, company: String(companyId) })
  expect((await call(server, auth.me, {}, { token: person.token })).body.companies).toHaveLength(2)
})

test('a password set by the command line revokes links and everything set by a stranger', async () => {
  const { email, id } = await registerVictimAddress()
  await call(server, auth.forgotPassword, { body: { email } })
  const token = await waitForLink(server, email, 'reset')
  const { rows } = await server.db.execute<{ id: number }>(
    `select company_id as id from memberships where user_id = '${id}'`,
  )
  await makeSession(server.db, id, rows[0]?.id ?? 0)
  await runResetPasswordCommand(server.deps, { email })
  const password = /: (\S+) {2}/.exec(said.join('\n'))?.[1] ?? ''
  expect([await countKeys(id), await server.db.$count(sessions, eq(sessions.userId, id))]).toEqual([0, 0])
  const late = await call(server, auth.resetPassword, { body: { token, password: SQUATTER_PASSWORD } })
  expect(late.body.code).toBe('already-used')
  expect((await login(email, password)).status).toBe(200)
  const [user] = await server.db.select().from(users).where(eq(users.id, id))
  expect(user?.emailVerifiedAt).not.toBeNull()
})
