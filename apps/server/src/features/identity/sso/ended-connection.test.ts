import { auth } from '@voisol/contract/auth'
import { companies as companyEndpoints } from '@voisol/contract/companies'
import { sso } from '@voisol/contract/sso'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { addCompanyMembership, connectOidcProvider, insertSession } from '../../../../test/session-fixtures.ts'
import {
  allowLocalProviders,
  beginSsoInBrowser,
  deliverSsoResponse,
  exchangeSsoTicket,
  makeSsoConnection,
} from '../../../../test/sso-flow.ts'
import { followRedirectsHome, startOidcProvider } from '../../../../test/sso-oidc.ts'
import { companies, sessions, ssoAttempts, users } from '../../../db/schema/index.ts'

const server = useServer()
type Provider = Awaited<ReturnType<typeof startOidcProvider>>
let count = 0
let open: Provider[] = []
beforeEach(() => {
  allowLocalProviders(server)
  open = []
})
afterEach(async () => {
  for (const provider of open) await provider.close()
})

/** Somebody who is in by their company's provider, and a sign-in that is on its way. */
async function makeScene() {
  const domain = `coop${++count}.example`
  const admin = await makeUser(server.db)
  const { id, version } = await makeSsoConnection(server, admin, domain)
  const provider = await connectOidcProvider(server, admin.companyId, id)
  open.push(provider)
  const email = `lea@${domain}`
  provider.become(`sujet-${count}`, { email, given_name: 'Léa', family_name: 'Martin', groups: [] })
  const bring = async () => {
    const { url, cookie } = await beginSsoInBrowser(server, email)
    return { landed: await deliverSsoResponse(server, await followRedirectsHome(url.href)), cookie }
  }
  const first = await bring()
  const { body } = await exchangeSsoTicket(server, first.landed, first.cookie)
  return { admin, id, version, email, user: body.user, token: String(body.token), waiting: await bring() }
}
const readMe = (token: string) => call(server, auth.me, {}, { token })

type Scene = Awaited<ReturnType<typeof makeScene>>
async function expectEnded({ id, token, waiting }: Scene) {
  expect((await readMe(token)).status).toBe(401)
  expect(await server.db.$count(sessions, eq(sessions.ssoConnectionId, id))).toBe(0)
  expect(await server.db.$count(ssoAttempts, eq(ssoAttempts.connectionId, id))).toBe(0)
  expect((await exchangeSsoTicket(server, waiting.landed, waiting.cookie)).status).not.toBe(200)
}

test('a connection that is removed ends the sessions it opened and the sign-ins on their way', async () => {
  const scene = await makeScene()
  expect((await readMe(scene.token)).status).toBe(200)
  expect((await call(server, sso.remove, { params: { id: scene.id } }, scene.admin)).status).toBe(200)
  await expectEnded(scene)
})

test('a connection that is given another provider ends what the provider before opened', async () => {
  const scene = await makeScene()
  const other = await startOidcProvider('voisol', 'un-secret-d-essai-de-quarante-caracteres', 'http://localhost/x')
  open.push(other)
  const settings = { name: 'Autre', issuer: other.issuer, clientId: 'voisol', version: scene.version }
  const { status } = await call(server, sso.update, { params: { id: scene.id }, body: settings }, scene.admin)
  expect(status).toBe(200)
  await expectEnded(scene)
})

test('somebody without a password whose connection was removed may choose one by the link of their address', async () => {
  const { admin, id, email } = await makeScene()
  await call(server, sso.remove, { params: { id } }, admin)
  await call(server, auth.forgotPassword, { body: { email } })
  const token = await waitForLink(server, email, 'reset')
  const password = 'des panneaux sur la grange'
  expect((await call(server, auth.resetPassword, { body: { token, password } })).status).toBe(200)
  expect((await call(server, auth.login, { body: { email, password } })).status).toBe(200)
})

test('a provider’s session is not told where else the person is known', async () => {
  const { admin, id, user, email } = await makeScene()
  const elsewhere = await makeUser(server.db)
  await addCompanyMembership(server, user.id, elsewhere.companyId)
  const { url, cookie } = await beginSsoInBrowser(server, email)
  const { body } = await exchangeSsoTicket(
    server,
    await deliverSsoResponse(server, await followRedirectsHome(url.href)),
    cookie,
  )
  const own = [{ id: admin.companyId, name: expect.any(String) }]
  expect([body.user.companies, (await readMe(body.token)).body.companies]).toEqual([own, own])
  const opening = { userId: user.id, companyId: admin.companyId, openedWith: 'sso', ssoConnectionId: id } as const
  const { token } = await insertSession(server, opening)
  expect((await readMe(token)).body.companies).toEqual(own)
})

test('a company that asks for a second factor stays closed to a session whose account has none any more', async () => {
  const person = await makeUser(server.db)
  const { companyId } = await makeUser(server.db)
  await addCompanyMembership(server, person.id, companyId)
  await server.db.update(companies).set({ secondFactor: 'everyone' }).where(eq(companies.id, companyId))
  await server.db.update(users).set({ totpEnabledAt: null }).where(eq(users.id, person.id))
  const { token } = await insertSession(server, {
    userId: person.id,
    companyId: person.companyId,
    openedWith: 'password-code',
  })
  const there = await call(server, companyEndpoints.get, { params: { companyId } }, { token })
  expect(there.body.code).toBe('second-factor-unproved')
})
