import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { begin, finish, land, makeSso, openInner, refusals } from '../../../../test/sso-flow.ts'
import {
  assertionOf,
  demandOf,
  encode,
  honest,
  newSigner,
  responseOf,
  type Said,
  signAssertion,
  signResponse,
} from '../../../../test/sso-saml.ts'
import { assertionWrappings, responseWrappings } from '../../../../test/sso-wrapping.ts'

const server = useServer()
const DOMAIN = 'cooperative-du-midi.fr'
const ISSUER = 'https://idp.exemple/saml'
const OWN = `petit@${DOMAIN}`
const EVIL = `patron@${DOMAIN}`
let admin: Awaited<ReturnType<typeof makeUser>>
let signer: Awaited<ReturnType<typeof newSigner>>
let foreign: typeof signer

const about = { kind: 'saml' as const, entityId: ISSUER, ssoUrl: 'https://idp.exemple/sso' }
beforeAll(async () => {
  openInner(server)
  admin = await makeUser(server.db)
  ;[signer, foreign] = [await newSigner(), await newSigner()]
  await makeSso(server, admin, DOMAIN, { ...about, certificates: [signer.certificate] })
})
beforeEach(() => server.db.execute('delete from throttles'))
afterAll(() => vi.useRealTimers())

type Forged = (said: Said) => string
const signed = (said: Said) => signAssertion(signer, responseOf(said, assertionOf(said)))
const saying =
  (more: (said: Said) => Partial<Said>): Forged =>
  (said) =>
    signed({ ...said, ...more(said) })

/** Brings an answer to a demand of its own, and says where the browser lands and what the journal holds. */
async function bring(forged: Forged, at = DOMAIN) {
  const { url, cookie } = await begin(server, `x@${at}`)
  const { acs, state } = demandOf(url)
  const landed = await land(server, acs, { SAMLResponse: encode(forged(honest(url, ISSUER, OWN))), RelayState: state })
  return { landed, cookie, why: (await refusals(server, admin))[0] ?? '' }
}

async function expectRefused(forged: Forged, sentence: RegExp, at?: string) {
  const before = (await refusals(server, admin)).length
  const { landed, why } = await bring(forged, at)
  expect(landed).toBe('/login?sso=refus')
  expect(why).toMatch(sentence)
  expect((await refusals(server, admin)).length).toBe(Math.min(50, before + 1))
}

test('an honest answer comes in', async () => {
  const { landed, cookie } = await bring(signed)
  expect((await finish(server, landed, cookie)).body.user.email).toBe(OWN)
})

const minutes = (n: number) => new Date(Date.now() + n * 60_000)
/** A signature of the provider's with SHA-1, where a parser finds the name of the hash and a search in the text does not. */
const hidden =
  (written: (uri: string) => string): Forged =>
  (said) =>
    signAssertion(signer, responseOf(said, assertionOf(said)), 'sha1').replace(
      /Algorithm="([^"]*sha1)"/g,
      (_, uri: string) => `Algorithm="${written(uri)}"`,
    )
const hideIn = (name: string, from: string, to: string): Forged => {
  const inside = new RegExp(`(<(?:\\w+:)?${name} Algorithm=")[^"]*"`)
  return (said) => signed(said).replace(inside, (_, start: string) => `${start}${from}${to}"`)
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
  ['no signature', (said) => responseOf(said, assertionOf(said)), /n’est pas signée/],
  [
    'a signed response around an unsigned assertion',
    (said) => signResponse(signer, responseOf(said, assertionOf(said))),
    /n’est pas signée/,
  ],
  [
    'a foreign certificate',
    (said) => signAssertion(foreign, responseOf(said, assertionOf(said))),
    /certificat de la connexion/,
  ],
  ['a signature with SHA-1', (said) => signAssertion(signer, responseOf(said, assertionOf(said)), 'sha1'), /SHA-1/],
  ['another name under the signature', (said) => signed(said).replace(OWN, EVIL), /signature/],
  ['another issuer', saying(() => ({ issuer: 'https://autre.exemple' })), /autre émetteur/],
  ['another audience', saying(() => ({ audience: 'https://autre.exemple' })), /Audience/],
  ['another recipient', saying(() => ({ recipient: 'https://autre.exemple/acs' })), /Recipient/],
  ['another destination', saying(() => ({ destination: 'https://autre.exemple/acs' })), /Destination/],
  ['another demand', saying(() => ({ inResponseTo: '_autre' })), /InResponseTo/],
  [
    'an envelope of this demand around an assertion of another',
    (said) =>
      responseOf(said, '').replace(
        '</samlp:Response>',
        `${signAssertion(signer, assertionOf({ ...said, inResponseTo: '_autre' }))}</samlp:Response>`,
      ),
    /InResponseTo/,
  ],
  ['expired', saying(() => ({ from: minutes(-20), to: minutes(-10) })), /expiré/],
  ['not yet valid', saying(() => ({ from: minutes(10), to: minutes(20) })), /pas encore valable/],
  ['not a bearer’s', saying(() => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })), /porteur/],
  ['a comment in the name', (said) => signed(said).replace(OWN, `patron@${DOMAIN}<!-- -->.ailleurs.fr`), /commentaire/],
  ['a document type', (said) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${signed(said)}`, /DTD/],
  ['no document', () => 'rien', /SAML/],
  [
    'another root',
    (said) => signed(said).replaceAll('samlp:Response', 'samlp:ArtifactResponse'),
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
    expectRefused((said) => assertionWrappings[name]?.(signed(said), names) ?? '', WRAPPED),
  )

  describe('of a whole response', () => {
    const at = 'reponses-du-midi.fr'
    const both: Forged = (said) => signResponse(signer, signed(said))
    beforeAll(async () => {
      await makeSso(server, admin, at, { ...about, responseSigned: true, certificates: [signer.certificate] })
    })
    test('signed twice it comes in; by its assertion alone it does not', async () => {
      const own: Forged = (said) => both({ ...said, nameId: `petit@${at}` })
      expect((await bring(own, at)).landed).toMatch(/^\/login\?sso=\d/)
      await expectRefused(signed, /La réponse n’est pas signée/, at)
    })
    test.each(Object.keys(responseWrappings))('%s', (name) =>
      expectRefused((said) => responseWrappings[name]?.(both(said), names) ?? '', WRAPPED, at),
    )
  })
})

describe('what served does not serve again', () => {
  test('the same answer, the same assertion under another demand, no demand at all', async () => {
    const { url } = await begin(server, OWN)
    const { acs, state } = demandOf(url)
    const said = honest(url, ISSUER, OWN)
    const form = { SAMLResponse: encode(signed(said)), RelayState: state }
    expect(await land(server, acs, form)).toMatch(/sso=\d/)
    expect(await land(server, acs, form)).toBe('/login?sso=refus')
    expect((await refusals(server, admin))[0]).toContain('déjà servi')
    await expectRefused(
      saying(() => ({ assertionId: said.assertionId })),
      /même ID/,
    )
    expect(await land(server, acs, { SAMLResponse: form.SAMLResponse, RelayState: '' })).toBe('/login?sso=refus')
    expect((await refusals(server, admin))[0]).toContain('se commence ici')
  })

  test('a connection of another company does not let in the people of this one', async () => {
    const other = await makeUser(server.db)
    const theirs = 'voisins-du-midi.fr'
    await makeSso(server, other, theirs, { ...about, certificates: [foreign.certificate] })
    const { url } = await begin(server, `x@${theirs}`)
    const { acs, state } = demandOf(url)
    const said = honest(url, ISSUER, OWN)
    const xml = signAssertion(foreign, responseOf(said, assertionOf(said)))
    expect(await land(server, acs, { SAMLResponse: encode(xml), RelayState: state })).toBe('/login?sso=refus')
    expect((await refusals(server, other))[0]).toContain('domaine prouvé')
    const mine = await begin(server, OWN)
    const crossed = { SAMLResponse: encode(xml), RelayState: demandOf(mine.url).state }
    expect(await land(server, acs, crossed)).toBe('/login?sso=refus')
    expect((await refusals(server, other))[0]).toContain('demande inconnue')
  })
})
