import { auth } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import { sso } from '@voisol/contract/sso'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { memberships, ssoConnections, ssoDomains } from '../src/db/schema/index.ts'
import { createAuthenticator } from './authenticator.ts'
import { call } from './client.ts'
import { makeAdminsOnTwoMachines, withMachineDown } from './cluster.ts'
import { makeUser, PASSWORD } from './factories.ts'
import { useServer } from './server.ts'
import { allowLocalProviders, beginSsoInBrowser, deliverSsoResponse, exchangeSsoTicket } from './sso-flow.ts'
import { followRedirectsHome, startOidcProvider } from './sso-oidc.ts'

const ORIGIN = 'http://localhost'
const SECRET = 'un-secret-d-essai-de-quarante-caracteres'
const DOMAIN = 'mairie-des-aulnes.fr'
const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>

async function withPasskey(user: User) {
  const key = createAuthenticator(ORIGIN)
  const { challenge } = (await call(server, passkeys.prepare, { body: { password: PASSWORD } }, user)).body
  const body = { name: 'Téléphone', credential: key.create(challenge) }
  expect((await call(server, passkeys.add, { body }, user)).status).toBe(200)
  return async () => {
    const asked = String((await call(server, passkeys.challenge)).body.challenge)
    return call(server, passkeys.signIn, { body: { credential: key.get(asked) } })
  }
}

/** A verified and active identity provider for a domain. */
async function withProvider({ companyId, token }: User) {
  allowLocalProviders(server)
  const made = await call(server, sso.create, { body: { name: 'Mairie', kind: 'oidc' } }, { token })
  const { id, given } = made.body
  const provider = await startOidcProvider('voisol', SECRET, given.redirectUri)
  const settings = { name: 'Mairie', issuer: provider.issuer, clientId: 'voisol', clientSecret: SECRET, version: 1 }
  const body = { ...settings, roles: [{ group: 'énergie', role: 'manager' }] }
  expect((await call(server, sso.update, { params: { id }, body }, { token })).status).toBe(200)
  await server.db
    .insert(ssoDomains)
    .values({ companyId, domain: DOMAIN, connectionId: id, token: 'essai', provedAt: new Date() })
  const open = { testedAt: new Date(), activatedAt: new Date() }
  await server.db.update(ssoConnections).set(open).where(eq(ssoConnections.id, id))
  const email = `marion.prat@${DOMAIN}`
  provider.become('sujet-41', { email, given_name: 'Marion', family_name: 'Prat', groups: ['Énergie'] })
  const signIn = async () => {
    const { url, cookie } = await beginSsoInBrowser(server, email)
    return exchangeSsoTicket(server, await deliverSsoResponse(server, await followRedirectsHome(url.href)), cookie)
  }
  return { signIn, close: provider.close }
}

const byPassword = ({ email }: User, device = 'une autre machine') =>
  call(server, auth.login, { body: { email, password: PASSWORD } }, { headers: { 'user-agent': device } })

test('while a machine is down people can sign in to companies on the others, by every method', async () => {
  const { there, elsewhere, machine } = await makeAdminsOnTwoMachines(server)
  const byPasskey = await withPasskey(elsewhere)
  const provider = await withProvider(elsewhere)
  const { companyId } = elsewhere
  const [first, both] = [await makeUser(server.db, { companyId }), await makeUser(server.db, { companyId })]
  await server.db
    .insert(memberships)
    .values({ companyId: there.companyId, userId: both.id, role: 'admin', acceptedAt: new Date() })
  expect((await provider.signIn()).status).toBe(200)
  expect((await byPassword(both, 'celle de toujours')).status).toBe(200)
  await withMachineDown(server, machine, async () => {
    const answers = [await byPasskey(), await provider.signIn(), await byPassword(first), await byPassword(both)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }).finally(provider.close)
  expect((await byPasskey()).status).toBe(200)
})
