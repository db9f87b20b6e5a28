import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import {
  allowLocalProviders,
  beginSsoInBrowser,
  deliverSsoResponse,
  exchangeSsoTicket,
  listSsoRefusals,
  makeSsoConnection,
} from '../../../../test/sso-flow.ts'
import {
  assertionWrappings,
  buildAssertion,
  buildSamlResponse,
  buildValidFields,
  createSigner,
  encodeBase64,
  parseAuthnRequest,
  responseWrappings,
  type SamlResponseFields,
  signAssertion,
  signResponse,
} from '../../../../test/sso-saml.ts'

const server = useServer()
const DOMAIN = 'cooperative-du-midi.fr'
const ISSUER = 'https://idp.exemple/saml'
const OWN = `petit@${DOMAIN}`
const EVIL = `patron@${DOMAIN}`
let admin: Awaited<ReturnType<typeof makeUser>>
let signer: Awaited<ReturnType<typeof createSigner>>
let foreign: typeof signer

const about = { kind: 'saml' as const, entityId: ISSUER, ssoUrl: 'https://idp.exemple/sso' }
beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  ;[signer, foreign] = [await createSigner(), await createSigner()]
  await makeSsoConnection(server, admin, DOMAIN, { ...about, certificates: [signer.certificate] })
})
beforeEach(() => server.db.execute('delete from throttles'))
afterAll(() => vi.useRealTimers())

type Forged = (said: SamlResponseFields) => string
const buildSignedResponse = (said: SamlResponseFields) =>
  signAssertion(signer, buildSamlResponse(said, buildAssertion(said)))
const buildResponseWith =
  (more: (said: SamlResponseFields) => Partial<SamlResponseFields>): Forged =>
  (said) =>
    buildSignedResponse({ ...said, ...more(said) })

/** Brings an answer to a demand of its own, and says where the browser lands and what the journal holds. */
async function submitResponse(forged: Forged, at = DOMAIN) {
  const { url, cookie } = await beginSsoInBrowser(server, `x@${at}`)
  const { acs, state } = parseAuthnRequest(url)
  const landed = await deliverSsoResponse(server, acs, {
    SAMLResponse: encodeBase64(forged(buildValidFields(url, ISSUER, OWN))),
    RelayState: state,
  })
  return { landed, cookie, why: (await listSsoRefusals(server, admin))[0] ?? '' }
}

async function expectRefused(forged: Forged, sentence: RegExp, at?: string) {
  const before = (await listSsoRefusals(server, admin)).length
  const { landed, why } = await submitResponse(forged, at)
  expect(landed).toBe('/login?sso=refus')
  expect(why).toMatch(sentence)
  expect((await listSsoRefusals(server, admin)).length).toBe(Math.min(50, before + 1))
}

test('an honest answer comes in', async () => {
  const { landed, cookie } = await submitResponse(buildSignedResponse)
  expect((await exchangeSsoTicket(server, landed, cookie)).body.user.email).toBe(OWN)
})

const minutes = (n: number) => new Date(Date.now() + n * 60_000)
/** A signature of the provider's with SHA-1, where a parser finds the name of the hash and a search in the text does not. */
const hidden =
  (written: (uri: string) => string): Forged =>
  (said) =>
    signAssertion(signer, buildSamlResponse(said, buildAssertion(said)), 'sha1').replace(
      /Algorithm="([^"]*sha1)"/g,
      (_, uri: string) => `Algorithm="${written(uri)}"`,
    )
const hideIn = (name: string, from: string, to: string): Forged => {
  const inside = new RegExp(`(<(?:\\w+:)?${name} Algorithm=")[^"]*"`)
  return (said) => buildSignedResponse(said).replace(inside, (_, start: string) => `${start}${from}${to}"`)
}
const CASES: [string, Forged, RegExp][] = [
  ['SHA-1 written with a character reference', hidden((uri) => uri.replace('sha1', 'sh&#97;1')), /SHA-1/],
  ['SHA-1 written with a hexadecimal reference', hidden((uri) => uri.replace('sha1', '&#x73;ha1')), /SHA-1/],
  ['SHA-1 written with a reference for the sharp', hidden((uri) => uri.replace('#', '&#35;')), /SHA-1/],
  ['a digest with SHA-1 alone', hideIn('DigestMethod', 'http://www.w3.org/2000/09/xmldsig', '&#35;sha1'), /SHA-1/],
  [
    'an HMAC, that the certificate would be the key of',
    hideIn('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#', 'hm&#97;c-sha1'),
    /SHA-1/,
  ],
  ['a signature that names no method', hideIn('SignatureMethod', '', ''), /SHA-1/],
  ['no signature', (said) => buildSamlResponse(said, buildAssertion(said)), /n’est pas signée/],
  [
    'a signed response around an unsigned assertion',
    (said) => signResponse(signer, buildSamlResponse(said, buildAssertion(said))),
    /n’est pas signée/,
  ],
  [
    'a foreign certificate',
    (said) => signAssertion(foreign, buildSamlResponse(said, buildAssertion(said))),
    /certificat de la connexion/,
  ],
  [
    'a signature with SHA-1',
    (said) => signAssertion(signer, buildSamlResponse(said, buildAssertion(said)), 'sha1'),
    /SHA-1/,
  ],
  ['another name under the signature', (said) => buildSignedResponse(said).replace(OWN, EVIL), /signature/],
  ['another issuer', buildResponseWith(() => ({ issuer: 'https://autre.exemple' })), /autre émetteur/],
  ['another audience', buildResponseWith(() => ({ audience: 'https://autre.exemple' })), /Audience/],
  ['another recipient', buildResponseWith(() => ({ recipient: 'https://autre.exemple/acs' })), /Recipient/],
  ['another destination', buildResponseWith(() => ({ destination: 'https://autre.exemple/acs' })), /Destination/],
  ['another demand', buildResponseWith(() => ({ inResponseTo: '_autre' })), /InResponseTo/],
  [
    'an envelope of this demand around an assertion of another',
    (said) =>
      buildSamlResponse(said, '').replace(
        '</samlp:Response>',
        `${signAssertion(signer, buildAssertion({ ...said, inResponseTo: '_autre' }))}</samlp:Response>`,
      ),
    /InResponseTo/,
  ],
  ['expired', buildResponseWith(() => ({ from: minutes(-20), to: minutes(-10) })), /expiré/],
  ['not yet valid', buildResponseWith(() => ({ from: minutes(10), to: minutes(20) })), /pas encore valable/],
  ['not a bearer’s', buildResponseWith(() => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })), /porteur/],
  [
    'a comment in the name',
    (said) => buildSignedResponse(said).replace(OWN, `patron@${DOMAIN}<!-- -->.ailleurs.fr`),
    /commentaire/,
  ],
  [
    'a document type',
    (said) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${buildSignedResponse(said)}`,
    /DTD/,
  ],
  ['no document', () => 'rien', /SAML/],
  [
    'another root',
    (said) => buildSignedResponse(said).replaceAll('samlp:Response', 'samlp:ArtifactResponse'),
    /réponse SAML est attendue/,
  ],
]
describe('each forgery is refused, and the journal says why', () => {
  test.each(CASES)('%s', (_, forged, sentence) => expectRefused(forged, sentence))
})

const names = { own: OWN, evil: EVIL }
const WRAPPED = /signature|signée|recomposée|plusieurs assertions|InResponseTo|exactement un/
describe('what is signed and what is read are one', () => {
  test.each(Object.keys(assertionWrappings))('%s', (name) =>
    expectRefused((said) => assertionWrappings[name]?.(buildSignedResponse(said), names) ?? '', WRAPPED),
  )

  describe('of a whole response', () => {
    const at = 'reponses-du-midi.fr'
    const both: Forged = (said) => signResponse(signer, buildSignedResponse(said))
    beforeAll(async () => {
      await makeSsoConnection(server, admin, at, { ...about, responseSigned: true, certificates: [signer.certificate] })
    })
    test('signed twice it comes in; by its assertion alone it does not', async () => {
      const own: Forged = (said) => both({ ...said, nameId: `petit@${at}` })
      expect((await submitResponse(own, at)).landed).toMatch(/^\/login\?sso=\d/)
      await expectRefused(buildSignedResponse, /La réponse n’est pas signée/, at)
    })
    test.each(Object.keys(responseWrappings))('%s', (name) =>
      expectRefused((said) => responseWrappings[name]?.(both(said), names) ?? '', WRAPPED, at),
    )
  })
})

describe('what served does not serve again', () => {
  test('the same answer, the same assertion under another demand, no demand at all', async () => {
    const { url } = await beginSsoInBrowser(server, OWN)
    const { acs, state } = parseAuthnRequest(url)
    const said = buildValidFields(url, ISSUER, OWN)
    const form = { SAMLResponse: encodeBase64(buildSignedResponse(said)), RelayState: state }
    expect(await deliverSsoResponse(server, acs, form)).toMatch(/sso=\d/)
    expect(await deliverSsoResponse(server, acs, form)).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('déjà servi')
    await expectRefused(
      buildResponseWith(() => ({ assertionId: said.assertionId })),
      /même ID/,
    )
    expect(await deliverSsoResponse(server, acs, { SAMLResponse: form.SAMLResponse, RelayState: '' })).toBe(
      '/login?sso=refus',
    )
    expect((await listSsoRefusals(server, admin))[0]).toContain('se commence ici')
  })

  test('a connection of another company does not let in the people of this one', async () => {
    const other = await makeUser(server.db)
    const theirs = 'voisins-du-midi.fr'
    await makeSsoConnection(server, other, theirs, { ...about, certificates: [foreign.certificate] })
    const { url } = await beginSsoInBrowser(server, `x@${theirs}`)
    const { acs, state } = parseAuthnRequest(url)
    const said = buildValidFields(url, ISSUER, OWN)
    const xml = signAssertion(foreign, buildSamlResponse(said, buildAssertion(said)))
    expect(await deliverSsoResponse(server, acs, { SAMLResponse: encodeBase64(xml), RelayState: state })).toBe(
      '/login?sso=refus',
    )
    expect((await listSsoRefusals(server, other))[0]).toContain('domaine prouvé')
    const mine = await beginSsoInBrowser(server, OWN)
    const crossed = { SAMLResponse: encodeBase64(xml), RelayState: parseAuthnRequest(mine.url).state }
    expect(await deliverSsoResponse(server, acs, crossed)).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, other))[0]).toContain('demande inconnue')
  })
})
