import { auth } from '@voisol/contract/auth'
import { requests } from '@voisol/contract/requests'
import { users } from '@voisol/contract/users'
import { desc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../test/client.ts'
import { makeSession, makeUser, PASSWORD } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { loadSiteOwnerId } from '../core/site-owner.ts'
import { auditEntries, sessions } from '../db/schema/index.ts'
import { sha256 } from '../secrets.ts'

const server = useServer()
const latest = async (companyId: number) =>
  (
    await server.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.companyId, companyId))
      .orderBy(desc(auditEntries.seq))
  )[0]

test('an entry names the target from the URL, unless the call gives a better one', async () => {
  const { id, companyId, email, token } = await makeUser(server.db)
  const other = await makeSession(server.db, id, companyId)
  const [session] = await server.db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, sha256(other)))
  const answer = await call(server, auth.revokeSession, { params: { id: session?.id } }, { token })
  expect(answer.status).toBe(200)
  const { method, path, summary } = auth.revokeSession
  expect(await latest(companyId)).toMatchObject({
    userId: id,
    actor: email,
    action: `${method} ${path}`,
    label: summary,
    target: session?.id,
    outcome: 'done',
    ip: '127.0.0.1',
  })
})

test('the target given by the call wins; a call without a target names none', async () => {
  const { companyId, token } = await makeUser(server.db)
  const other = await makeUser(server.db, { companyId })
  expect((await call(server, users.disable, { params: { id: other.id } }, { token })).status).toBe(200)
  expect((await latest(companyId))?.target).toBe(other.email)
  expect((await call(server, auth.revokeOtherSessions, {}, { token })).status).toBe(200)
  expect((await latest(companyId))?.target).toBe('')
})

test('a sign-in is attributed to the person, although nobody was signed in before', async () => {
  const { id, companyId, email } = await makeUser(server.db)
  expect((await call(server, auth.login, { body: { email, password: PASSWORD } })).status).toBe(200)
  const { method, path } = auth.login
  expect(await latest(companyId)).toMatchObject({ userId: id, actor: email, action: `${method} ${path}` })
})

test('a request of a visitor is recorded', async () => {
  const sent = await call(server, requests.newsletter, { body: { email: 'lectrice@exemple.fr' } })
  expect(sent.status).toBe(200)
  const { method, path, summary } = requests.newsletter
  expect(await latest(await loadSiteOwnerId(server.db))).toMatchObject({
    userId: null,
    actor: 'visiteur',
    action: `${method} ${path}`,
    label: summary,
    outcome: 'done',
  })
})
