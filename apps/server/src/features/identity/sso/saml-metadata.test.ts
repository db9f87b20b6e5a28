import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sso } from '@voisol/contract/sso'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { createSigner } from '../../../../test/sso-saml.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
let [live, next, lapsed] = ['', '', '']
let served = ''
const idp = createServer((request, response) => {
  if (request.url === '/ailleurs') return response.writeHead(302, { location: '/metadata' }).end()
  response.writeHead(request.url === '/metadata' ? 200 : 404, { 'content-type': 'application/xml' }).end(served)
})
let base = ''
beforeAll(async () => {
  admin = await makeUser(server.db)
  live = (await createSigner(300)).certificate
  next = (await createSigner(600)).certificate
  lapsed = (await createSigner(-3)).certificate
  await new Promise<void>((resolve) => idp.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(idp.address() as AddressInfo).port}` // listening on TCP
})
afterAll(() => new Promise((resolve) => idp.close(resolve)))

const body64 = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '').replace(/(.{64})/g, '$1\n')
const key = (pem: string, use = ' use="signing"') =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${body64(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const service = (binding: string, location: string) =>
  `<md:SingleSignOnService Binding="${binding}" Location="${location}"/>`
const entity = (keys: string, services: string, id = 'https://idp.exemple.fr/saml') =>
  `<?xml version="1.0"?><!-- made by hand --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key(next)}</md:SPSSODescriptor><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}${services}</md:IDPSSODescriptor></md:EntityDescriptor>`
const services = () =>
  service(POST, 'https://idp.exemple.fr/post') + service(REDIRECT, 'https://idp.exemple.fr/sso?a=1&amp;b=2')

const read = (body: object) => call(server, sso.metadata, { body }, admin)
const readRefusal = async (body: object) => {
  const { status, body: problem } = await read(body)
  return [status, problem.issues?.[0]?.path, problem.issues?.[0]?.message]
}

test('who it is, where people are sent, and the certificates that sign: neither what has lapsed nor what encrypts', async () => {
  const xml = entity(key(lapsed) + key(live) + key(next, ' use="encryption"') + key(live, ''), services())
  const { status, body } = await read({ xml })
  expect([status, body.entityId, body.ssoUrl]).toEqual([
    200,
    'https://idp.exemple.fr/saml',
    'https://idp.exemple.fr/sso?a=1&b=2',
  ])
  expect(body.certificates.trim()).toBe(live.trim())
})

test('what is read is what the settings take', async () => {
  const { body } = await read({ xml: entity(key(live), services()) })
  const { id } = (await call(server, sso.create, { body: { name: 'Annuaire', kind: 'saml' } }, admin)).body
  const saved = await call(
    server,
    sso.update,
    { params: { id }, body: { name: 'Annuaire', ...body, version: 1 } },
    admin,
  )
  expect([saved.status, saved.body.entityId, saved.body.certificates.length]).toEqual([200, body.entityId, 1])
})

test.each([
  ['a page', () => '<html><body>Connexion</body></html>', 'ne se lisent pas'],
  ['nothing of XML', () => 'bonjour', 'ne se lisent pas'],
  ['a cut document', () => entity(key(live), services()).slice(0, -30), 'ne se lisent pas'],
  [
    'an entity',
    () => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${entity(key(live), services())}`,
    'ne se lisent pas',
  ],
  ['a section', () => entity(key(live), `<![CDATA[x]]>${services()}`), 'ne se lisent pas'],
  ['only lapsed keys', () => entity(key(lapsed), services()), 'a expiré'],
  ['no keys', () => entity('', services()), 'pas de certificat de signature'],
  ['no redirect', () => entity(key(live), service(POST, 'https://idp.exemple.fr/')), 'HTTP-Redirect'],
  ['no name', () => entity(key(live), services(), ''), 'ne nomme pas'],
  [
    'a federation',
    () => `<f>${[1, 2].map(() => entity(key(live), services()).replace('<?xml version="1.0"?>', '')).join('')}</f>`,
    'plusieurs fournisseurs',
  ],
])('%s is refused with what to do', async (_, xml, words) => {
  const [status, , message] = await readRefusal({ xml: xml() })
  expect([status, message]).toEqual([422, expect.stringContaining(words)])
})

test('by its address, behind the guard: no machine of ours, no redirection, no page that is missing', async () => {
  served = entity(key(live), services())
  for (const url of [
    'http://169.254.169.254/latest',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'file:///etc/passwd',
  ])
    expect(await readRefusal({ url })).toEqual([
      422,
      'url',
      expect.stringContaining('n’est pas joignable depuis internet'),
    ])
  const before = server.deps.outside
  server.deps.outside = createOutboundClient({ inner: true })
  try {
    expect((await read({ url: `${base}/metadata` })).body.entityId).toBe('https://idp.exemple.fr/saml')
    expect((await readRefusal({ url: `${base}/ailleurs` }))[2]).toContain('a répondu 302')
    expect((await readRefusal({ url: `${base}/rien` }))[2]).toContain('a répondu 404')
    expect((await readRefusal({ url: 'http://127.0.0.1:1/x' }))[2]).toContain('n’a pas répondu')
  } finally {
    server.deps.outside = before
  }
})

test('one of the two, not both and not none', async () => {
  for (const body of [{}, { url: 'https://exemple.fr', xml: '<a/>' }]) expect((await readRefusal(body))[0]).toBe(422)
})
