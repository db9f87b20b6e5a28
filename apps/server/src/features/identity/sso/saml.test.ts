import { sso } from '@voisol/contract/sso'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import {
  allowLocalProviders,
  beginSsoInBrowser,
  deliverSsoResponse,
  exchangeSsoTicket,
  makeSsoConnection,
  startSsoTest,
} from '../../../../test/sso-flow.ts'
import { createSigner, parseAuthnRequest, startSamlProvider } from '../../../../test/sso-saml.ts'

const server = useServer()
const DOMAIN = 'syndicat-des-rives.fr'
let admin: Awaited<ReturnType<typeof makeUser>>
let signer: Awaited<ReturnType<typeof createSigner>>
let provider: Awaited<ReturnType<typeof startSamlProvider>>
let id: string

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  signer = await createSigner()
  provider = await startSamlProvider(signer)
  id = (
    await makeSsoConnection(server, admin, DOMAIN, {
      kind: 'saml',
      defaultRole: null,
      testedAt: null,
      activatedAt: null,
    })
  ).id
})
afterAll(() => provider?.close())

const save = (version: number, more: object = {}) => {
  const roles = [{ group: 'Énergie', role: 'technician' }]
  const body = { name: 'Rives', entityId: provider.issuer, ssoUrl: provider.issuer, roles, version }
  return call(
    server,
    sso.update,
    { params: { id }, body: { certificates: signer.certificate, ...body, ...more } },
    admin,
  )
}

test('what the provider gives is read before it is kept', async () => {
  const lapsed = await createSigner(-0.5)
  const refused = async (more: object) => (await save(1, more)).body.issues?.[0]
  expect(await refused({ certificates: lapsed.certificate })).toEqual({
    path: 'certificates',
    message: expect.stringContaining('a expiré le'),
  })
  expect((await refused({ certificates: 'n’importe quoi' })).message).toContain('n’est pas lisible')
  expect((await refused({ entityId: '' })).path).toBe('entityId')
  const { body } = await save(1, { signsRequests: true })
  expect(body).toMatchObject({ version: 2, signsRequests: true, certificates: [{ subject: 'CN=Fournisseur d’essai' }] })
})

test('the metadata say what the screen says, with the certificate that requests are signed by', async () => {
  const [{ given }] = (await call(server, sso.list, {}, admin)).body.items
  const { body, headers, statusCode } = await server.app.inject(new URL(given.metadataUrl).pathname)
  expect({ statusCode, type: headers['content-type'] }).toEqual({
    statusCode: 200,
    type: 'application/samlmetadata+xml; charset=utf-8',
  })
  expect(body).toContain(`entityID="${given.entityId}"`)
  expect(body).toContain(`Location="${given.acsUrl}"`)
  expect(body).toMatch(/WantAssertionsSigned="true"[\s\S]*X509Certificate/)
})

test('from the trial to the session, by a form that another site posts', async () => {
  provider.become(`noe.vasseur@${DOMAIN}`)
  const trial = await startSsoTest(server, admin, id)
  expect(parseAuthnRequest(trial.url).xml).toContain('ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"')
  expect(trial.url.searchParams.get('SigAlg')).toContain('rsa-sha256')
  const tried = await provider.visit(trial.url.href)
  expect(await deliverSsoResponse(server, tried.action, tried.form)).toMatch(/^\/admin\/sso\?essai=/)
  expect((await call(server, sso.switch, { params: { id }, body: { on: true } }, admin)).status).toBe(200)
  const { url, cookie } = await beginSsoInBrowser(server, `noe.vasseur@${DOMAIN}`)
  const { action, form } = await provider.visit(url.href)
  const { body } = await exchangeSsoTicket(server, await deliverSsoResponse(server, action, form), cookie)
  expect(body.user).toMatchObject({ email: `noe.vasseur@${DOMAIN}`, firstName: 'Noé', roleName: 'Technicien' })
})

test('a renewed certificate is added beside the old one without a new trial; another provider is tried again', async () => {
  const next = await createSigner(800)
  const [{ version }] = (await call(server, sso.list, {}, admin)).body.items
  const both = await save(version, { certificates: signer.certificate + next.certificate, signsRequests: true })
  expect({ on: both.body.activatedAt !== null, n: both.body.certificates.length }).toEqual({ on: true, n: 2 })
  const moved = await save(version + 1, { entityId: 'https://autre.exemple/saml', signsRequests: true })
  expect({ on: moved.body.activatedAt, tested: moved.body.testedAt }).toEqual({ on: null, tested: null })
})
