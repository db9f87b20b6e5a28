import { auth } from '@voisol/contract/auth'
import { companies } from '@voisol/contract/companies'
import { permissions } from '@voisol/contract/permissions'
import { users } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { users as accounts, auditEntries, throttles } from '../../../db/schema/index.ts'
import { buildTotp } from '../auth/second-factor.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const protect = (id: string) => server.db.update(accounts).set({ totpEnabledAt: new Date() }).where(eq(accounts.id, id))
const ask = (token: string, companyId: number, secondFactor: string, version = 1) =>
  call(server, companies.requireSecondFactor, { params: { companyId }, body: { secondFactor, version } }, { token })
const me = async (token: string) => (await call(server, auth.me, {}, { token })).body

test('can be required by an administrator who has one, and is recorded in the audit log', async () => {
  const admin = await makeUser(server.db)
  const { companyId, token, id } = admin
  expect((await ask(token, companyId, 'office')).body.detail).toContain('Activez d’abord')
  const key = await makeApiKey(server.db, admin, { permissions: [...permissions] })
  await protect(id)
  expect((await ask(key, companyId, 'office')).status).toBe(403)
  const manager = await makeUser(server.db, { companyId, role: 'manager' })
  await protect(manager.id)
  expect((await ask(manager.token, companyId, 'office')).status).toBe(403)
  expect((await ask(token, companyId, 'office')).body).toMatchObject({ secondFactor: 'office', version: 2 })
  expect((await ask(token, companyId, 'everyone')).status).toBe(409)
  const [entry] = await server.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.label, companies.requireSecondFactor.summary)))
  expect(entry).toMatchObject({
    userId: id,
    detail: { before: { secondFactor: 'optional' }, after: { secondFactor: 'office' } },
  })
})

test('applies to the chosen members from their next call, and to no other company', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  await protect(admin.id)
  const reader = await makeUser(server.db, { companyId, role: 'reader' })
  const client = await makeUser(server.db, { companyId, role: 'client' })
  const stranger = await makeUser(server.db)
  const duties = async () =>
    Promise.all([admin, reader, client, stranger].map(async ({ token }) => (await me(token)).duty))
  expect(await duties()).toEqual([null, null, null, null])
  await ask(admin.token, companyId, 'office')
  expect(await duties()).toEqual([null, 'second-factor', null, null])
  expect((await call(server, users.list, {}, reader)).body.code).toBe('second-factor-due')
  await ask(admin.token, companyId, 'everyone', 2)
  expect(await duties()).toEqual([null, 'second-factor', 'second-factor', null])
  await ask(admin.token, companyId, 'optional', 3)
  expect(await duties()).toEqual([null, null, null, null])
})

test('is set up at sign-in and cannot be removed by the member', async () => {
  const admin = await makeUser(server.db)
  await protect(admin.id)
  const { companyId, email } = await makeUser(server.db, { companyId: admin.companyId, role: 'technician' })
  await ask(admin.token, companyId, 'office')
  const { body } = await call(server, auth.login, { body: { email, password: PASSWORD } })
  expect(body.user.duty).toBe('second-factor')
  const as = { token: body.token }
  const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, as)).body
  const code = buildTotp(secret, '').generate()
  expect((await call(server, auth.enableSecondFactor, { body: { code } }, as)).status).toBe(200)
  expect((await me(body.token)).duty).toBeNull()
  const off = () => call(server, auth.disableSecondFactor, { body: { password: PASSWORD } }, as)
  expect((await off()).body).toMatchObject({ status: 409, detail: expect.stringContaining('demande') })
  await ask(admin.token, companyId, 'optional', 2)
  expect((await off()).status).toBe(200)
})
