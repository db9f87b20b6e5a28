import { auth } from '@voisol/contract/auth'
import { users } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { users as accounts, throttles } from '../../../db/schema/index.ts'
import { hashPassword } from './passwords.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const SHORT = 'lune et mer!'
const LONG = 'des panneaux sur la grange'

async function makeClient(password: string) {
  const admin = await makeUser(server.db)
  const user = await makeUser(server.db, { companyId: admin.companyId, role: 'client' })
  const passwordHash = await hashPassword(password)
  await server.db.update(accounts).set({ passwordHash }).where(eq(accounts.id, user.id))
  const promote = async () => {
    const { body } = await call(server, users.get, { params: { id: user.id } }, admin)
    const { firstName, lastName, phone, version } = body
    return call(
      server,
      users.update,
      { params: { id: user.id }, body: { firstName, lastName, phone, version, role: 'manager' } },
      admin,
    )
  }
  return { ...user, promote }
}
const signIn = async (email: string, password: string) =>
  (await call(server, auth.login, { body: { email, password } })).body
const read = (token: string) => call(server, users.list, {}, { token })

test('a promoted client with a short password must choose a long one before using the back office', async () => {
  const { email, token, promote } = await makeClient(SHORT)
  expect((await promote()).status).toBe(200)
  expect((await read(token)).body).toMatchObject({ status: 403, code: 'password-due' })
  const signedIn = await signIn(email, SHORT)
  expect(signedIn.user).toMatchObject({ role: 'admin', duty: 'password' })
  const change = (password: string) =>
    call(server, auth.changePassword, { body: { current: SHORT, password } }, { token: signedIn.token })
  expect((await change('mer et lune!!!')).body.code).toBe('weak-password')
  expect((await read(signedIn.token)).body.code).toBe('password-due')
  expect((await change(LONG)).status).toBe(200)
  expect((await read(signedIn.token)).status).toBe(200)
  expect((await signIn(email, LONG)).user.duty).toBeNull()
})

test('a promoted client with a long password proves it by signing in again', async () => {
  const { email, token, promote } = await makeClient(PASSWORD)
  await promote()
  expect((await read(token)).body.code).toBe('password-due')
  const signedIn = await signIn(email, PASSWORD)
  expect(signedIn.user.duty).toBeNull()
  expect((await read(signedIn.token)).status).toBe(200)
})

test('a second factor also satisfies the rule, and the portal does not require it', async () => {
  const { id, email, token, promote } = await makeClient(SHORT)
  expect((await signIn(email, SHORT)).user.duty).toBeNull()
  expect((await call(server, auth.me, {}, { token })).body.duty).toBeNull()
  await promote()
  await server.db.update(accounts).set({ totpEnabledAt: new Date() }).where(eq(accounts.id, id))
  expect((await read(token)).status).toBe(200)
})

test('an existing back office user is asked once their short password has been seen at sign-in', async () => {
  const admin = await makeUser(server.db)
  const worker = await makeUser(server.db, { companyId: admin.companyId, role: 'reader' })
  const passwordHash = await hashPassword(SHORT)
  await server.db.update(accounts).set({ passwordHash }).where(eq(accounts.id, worker.id))
  expect((await read(await makeSession(server.db, worker.id, worker.companyId))).status).toBe(200)
  expect((await signIn(worker.email, SHORT)).user.duty).toBe('password')
  expect((await read(worker.token)).body.code).toBe('password-due')
})
