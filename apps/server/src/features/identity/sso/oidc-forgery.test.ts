import { sso } from '@voisol/contract/sso'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
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
import { buildJwt, startScriptedOidcProvider } from '../../../../test/sso-oidc.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import { getSsoSealContext } from './sso-connection.ts'

const server = useServer()
const DOMAIN = 'regie-du-canal.fr'
let admin: Awaited<ReturnType<typeof makeUser>>
let liar: Awaited<ReturnType<typeof startScriptedOidcProvider>>

beforeAll(async () => {
  allowLocalProviders(server)
  admin = await makeUser(server.db)
  liar = await startScriptedOidcProvider()
  const id = crypto.randomUUID()
  const clientSecret = server.deps.secrets.seal(
    'secret',
    getSsoSealContext({ companyId: admin.companyId, id }, 'secret'),
  )
  await makeSsoConnection(server, admin, DOMAIN, { id, issuer: liar.issuer, clientId: 'voisol', clientSecret })
})
beforeEach(async () => {
  await server.db.execute('delete from throttles')
  await server.db.update(ssoConnections).set({ sendsEmailVerified: false })
  Object.assign(liar.answers, { html: false, error: '', claims: undefined })
})
afterAll(() => liar?.close())

type Claims = Record<string, unknown>
const now = () => Math.floor(Date.now() / 1000)
const buildHonestClaims = (nonce: string): Claims => ({
  iss: liar.issuer,
  aud: 'voisol',
  sub: 'sujet-7',
  nonce,
  iat: now(),
  exp: now() + 300,
  email: `lea@${DOMAIN}`,
  name: 'Léa Martin',
})
const RS = { alg: 'RS256', kid: 'vraie' }
const signToken = (claims: Claims) => buildJwt(RS, claims, liar.keys.privateKey)

type Made = (claims: Claims) => string
async function submitToken(made: Made, more: Record<string, string> = {}) {
  const { url, cookie } = await beginSsoInBrowser(server, `x@${DOMAIN}`)
  liar.answers.token = made(buildHonestClaims(url.searchParams.get('nonce') ?? ''))
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  const said = { code: 'un-code', state: url.searchParams.get('state') ?? '', ...more }
  for (const [name, value] of Object.entries(said)) back.searchParams.set(name, value)
  return { landed: await deliverSsoResponse(server, back.href), cookie }
}

test('what the provider signed for this demand comes in', async () => {
  const { landed, cookie } = await submitToken(signToken)
  expect((await exchangeSsoTicket(server, landed, cookie)).body.user).toMatchObject({
    firstName: 'Léa',
    lastName: 'Martin',
  })
})

test.each([true, 'true', 'True', 1, '1'])(
  'an address that the provider says is verified: %s comes in',
  async (said) => {
    const { landed, cookie } = await submitToken(tokenWithClaims({ email_verified: said }))
    expect((await exchangeSsoTicket(server, landed, cookie)).status).toBe(200)
  },
)

test('a token issued within the minute that clocks may differ by comes in', async () => {
  const { landed, cookie } = await submitToken(tokenWithClaims({ iat: now() + 30 }))
  expect((await exchangeSsoTicket(server, landed, cookie)).status).toBe(200)
})

test('a provider that sends email_verified, and leaves it out this time, has not verified the address', async () => {
  liar.answers.claims = ['sub', 'email', 'email_verified']
  expect((await submitToken(signToken)).landed).toBe('/login?sso=refus')
  expect((await listSsoRefusals(server, admin))[0]).toContain('n’est pas vérifiée')
  const { landed, cookie } = await submitToken(tokenWithClaims({ email_verified: true }))
  expect((await exchangeSsoTicket(server, landed, cookie)).status).toBe(200)
})

test.each([true, false])(
  'a provider that once sent email_verified %s without announcing it, and leaves it out later, has not verified the address',
  async (first) => {
    // Before it ever sent the claim, its word for the address is enough.
    expect((await submitToken(signToken)).landed).not.toBe('/login?sso=refus')
    const { landed } = await submitToken(tokenWithClaims({ email_verified: first }))
    expect(landed === '/login?sso=refus').toBe(!first)
    expect((await submitToken(signToken)).landed).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toContain('n’est pas vérifiée')
    const again = await submitToken(tokenWithClaims({ email_verified: true }))
    expect((await exchangeSsoTicket(server, again.landed, again.cookie)).status).toBe(200)
  },
)

test('the demand carries state, nonce and a challenge (PKCE)', async () => {
  const { url } = await beginSsoInBrowser(server, `x@${DOMAIN}`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    login_hint: `x@${DOMAIN}`,
  })
})

const pem = () => liar.keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const tokenWithClaims =
  (more: Claims): Made =>
  (claims) =>
    signToken({ ...claims, ...more })
const tokenWithoutClaim =
  (name: string): Made =>
  ({ [name]: _, ...claims }) =>
    signToken(claims)

const CASES: [string, Made, RegExp][] = [
  ['alg none', (claims) => buildJwt({ alg: 'none' }, claims), /alg|manière/],
  ['HS256 with the public key', (claims) => buildJwt({ alg: 'HS256', kid: 'vraie' }, claims, pem()), /alg|manière/],
  ['HS256 with the client secret', (claims) => buildJwt({ alg: 'HS256' }, claims, 'secret'), /alg|manière/],
  ['a key that the provider does not publish', (claims) => buildJwt(RS, claims, liar.foreign.privateKey), /signature/],
  [
    'a key of an unknown name',
    (claims) => buildJwt({ alg: 'RS256', kid: 'autre' }, claims, liar.foreign.privateKey),
    /signature|clé publiée/,
  ],
  [
    'claims changed under the signature',
    (claims) => {
      const [head, , tail] = signToken(claims).split('.')
      const [, body] = signToken({ ...claims, email: `patron@${DOMAIN}` }).split('.')
      return [head, body, tail].join('.')
    },
    /signature/,
  ],
  ['another issuer', tokenWithClaims({ iss: 'https://autre.exemple' }), /autre émetteur/],
  ['another audience', tokenWithClaims({ aud: 'autre-service' }), /autre service/],
  [
    'several audiences, asked for by another',
    tokenWithClaims({ aud: ['voisol', 'autre'], azp: 'autre' }),
    /autre service|azp/,
  ],
  ['the nonce of another demand', tokenWithClaims({ nonce: 'celui-d-une-autre-demande' }), /nonce/],
  ['no nonce', tokenWithoutClaim('nonce'), /nonce/],
  ['expired', tokenWithClaims({ iat: 1_700_000_000, exp: 1_700_000_300 }), /expiré/],
  ['not yet valid', tokenWithClaims({ nbf: Math.floor(Date.now() / 1000) + 3600 }), /pas encore valable/],
  ['issued in more than a minute', (claims) => signToken({ ...claims, iat: now() + 600 }), /dans le futur \(iat\)/],
  ...[false, 'False', 'false', 0, '0', null, '', 'no', [false], {}].map((said): [string, Made, RegExp] => [
    `an address that the provider says is verified: ${JSON.stringify(said)}`,
    tokenWithClaims({ email_verified: said }),
    /n’est pas vérifiée/,
  ]),
  [
    'an address that another claim gives, beside a verified one that is none',
    tokenWithClaims({ email: 'lea', email_verified: true, preferred_username: `lea@${DOMAIN}` }),
    /n’est pas vérifiée/,
  ],
  ['no subject', tokenWithoutClaim('sub'), /sub/],
  ['no address', tokenWithoutClaim('email'), /adresse e-mail/],
]
describe('each forgery is refused, and the journal says why', () => {
  test.each(CASES)('%s', async (_, made, sentence) => {
    const { landed } = await submitToken(made)
    expect(landed).toBe('/login?sso=refus')
    expect((await listSsoRefusals(server, admin))[0]).toMatch(sentence)
  })
})

const WORDS: [string, Record<string, string>, RegExp][] = [
  ['a state that nobody gave', { state: 'inconnu' }, /demande inconnue/],
  ['no state', { state: '' }, /se commence ici/],
  ['an issuer that is not this one’s (mix-up)', { iss: 'https://autre.exemple' }, /autre émetteur/],
  ['a refusal of the provider’s', { error: 'access_denied', code: '' }, /refusé la connexion/],
]
test.each(WORDS)('%s', async (_, more, sentence) => {
  expect((await submitToken(signToken, more)).landed).toBe('/login?sso=refus')
  expect((await listSsoRefusals(server, admin))[0]).toMatch(sentence)
})

test('a secret that lapsed, and a provider that answers a page, are said with what to do', async () => {
  liar.answers.error = 'invalid_client'
  await submitToken(signToken)
  expect((await listSsoRefusals(server, admin))[0]).toContain('Renouvelez-le')
  liar.answers.html = true
  const { code } = await beginSsoInBrowser(server, `x@${DOMAIN}`)
  expect(code).toBe('sso')
  expect((await listSsoRefusals(server, admin))[0]).toContain('répond une page')
})

test('the guard stands before every call: an inner address is neither kept nor asked', async () => {
  const { createOutboundClient: openOutside } = await import('../../../integrations/post/outbound-client.ts')
  const inner = server.deps.outside
  server.deps.outside = openOutside()
  try {
    const made = await call(server, sso.create, { body: { name: 'Intérieur', kind: 'oidc' } }, admin)
    for (const issuer of ['https://127.0.0.1/', 'http://exemple.fr', 'https://[::1]/', 'https://intranet.corp/']) {
      const body = { name: 'x', issuer, clientId: 'x', clientSecret: 'x', version: 1 }
      const { status, body: told } = await call(server, sso.update, { params: { id: made.body.id }, body }, admin)
      expect({ issuer, status, path: told.issues?.[0]?.path }).toEqual({ issuer, status: 422, path: 'issuer' })
    }
    const { code } = await beginSsoInBrowser(server, `x@${DOMAIN}`)
    expect(code).toBe('sso')
    expect((await listSsoRefusals(server, admin))[0]).toContain('joignable depuis internet')
  } finally {
    server.deps.outside = inner
  }
})
