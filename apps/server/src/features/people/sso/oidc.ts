import * as client from 'openid-client'
import type { Outside } from '../../../adapters/post/outside.ts'
import type { Deps } from '../../../deps.ts'
import { quotedWord, refuse } from './faults.ts'
import { type Identity, readIdentity } from './identity.ts'
import { ISSUED_IN_FUTURE, oidcRefusal } from './oidc-faults.ts'
import { type Connection, placeOf } from './scope.ts'

type Provider = { issuer: string; clientId: string }
/** What this way to the provider and back is known by; kept sealed until the answer. */
export type OidcTrip = { nonce: string; verifier: string }

const SECONDS = 10
/** Clocks that differ by more are said to. */
const TOLERANCE = 60
/** Issuers of Entra that speak for every organisation: anybody's administrator would sign in as anybody. */
const SHARED = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/

const fetcher =
  (outside: Outside): client.CustomFetch =>
  (url, { method, headers, body, signal }) =>
    outside.fetch(url, { method, headers, body, signal })

/** In the way that the provider understands, as it says itself. */
const proofOf =
  (secret: string): client.ClientAuth =>
  (server, ...call) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const basic = offered.includes('client_secret_basic')
    return (basic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret))(server, ...call)
  }

/** The provider as it describes itself; it must be the very one that was named. */
export async function discover(outside: Outside, { issuer, clientId }: Provider, secret = '') {
  const refusal = outside.refusal(issuer)
  if (refusal) refuse('address', refusal)
  if (SHARED.test(issuer))
    refuse(
      'issuer',
      'Cet émetteur vaut pour toutes les organisations\u00a0: mettez l’identifiant de votre annuaire à la place de «\u00a0common\u00a0».',
    )
  const options = {
    [client.customFetch]: fetcher(outside),
    timeout: SECONDS,
    // The signature of the token is looked at although it comes straight from the provider: whoever sits between proves nothing.
    execute: [client.enableNonRepudiationChecks, ...(outside.inner ? [client.allowInsecureRequests] : [])],
  }
  const about = { [client.clockTolerance]: TOLERANCE }
  const found = await client.discovery(new URL(issuer), clientId, about, proofOf(secret), options).catch(oidcRefusal)
  const { issuer: named } = found.serverMetadata()
  if (new URL(named).href !== new URL(issuer).href)
    refuse(
      'issuer',
      `Le fournisseur se nomme ${quotedWord(named)} et non ${quotedWord(issuer)}\u00a0: recopiez son émetteur exact.`,
    )
  return found
}

type Making = Pick<Deps, 'secrets' | 'outside'>

const secretOf = ({ secrets }: Making, row: Connection) =>
  row.clientSecret ? secrets.open(row.clientSecret, placeOf(row, 'secret')) : ''

/** Where the browser is sent, and what the answer will be held against. */
export async function beginOidc(making: Making, row: Connection, redirectUri: string, state: string, email?: string) {
  const config = await discover(making.outside, row, secretOf(making, row))
  const trip: OidcTrip = { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state,
    nonce: trip.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
    ...(email && { login_hint: email }),
  })
  return { url: url.href, trip }
}

/** Who came back, once every part of the answer was held against what was asked. */
export async function answerOidc(
  making: Making,
  row: Connection,
  currentUrl: URL,
  state: string,
  trip: OidcTrip,
): Promise<Identity> {
  const config = await discover(making.outside, row, secretOf(making, row))
  const checks = {
    expectedState: state,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.verifier,
    idTokenExpected: true,
  }
  const tokens = await client.authorizationCodeGrant(config, currentUrl, checks).catch(oidcRefusal)
  const claims = tokens.claims()
  if (!claims) return refuse('token', 'Le fournisseur n’a pas donné de jeton d’identité (id_token).')
  requireIssuedByNow(claims)
  return readIdentity(claims.sub, await completed(config, tokens.access_token, claims), row.groupClaim)
}

const PROTOCOL = new Set(['iss', 'aud', 'exp', 'iat', 'nbf', 'nonce', 'at_hash', 'c_hash', 's_hash', 'sid', 'azp'])

/** The library refuses what is too old, and lets through what is not issued yet. */
function requireIssuedByNow({ iat }: client.IDToken) {
  if (iat > Date.now() / 1000 + TOLERANCE) refuse(...ISSUED_IN_FUTURE)
}

type Claims = Record<string, unknown>

/** Some providers say the address and the groups elsewhere; what the signed token says comes first. */
async function completed(config: client.Configuration, token: string, claims: client.IDToken): Promise<Claims> {
  const { userinfo_endpoint: hasMore, claims_supported: offered = [] } = config.serverMetadata()
  // Who says that it sends this claim, and leaves it out, does not say that the address is verified.
  const promised = offered.includes('email_verified')
  const said: Claims = Object.fromEntries(Object.entries(claims).filter(([name]) => !PROTOCOL.has(name)))
  const lacking = !said.email || (promised && !('email_verified' in said))
  if (!lacking) return said
  const more: Claims = hasMore ? { ...(await client.fetchUserInfo(config, token, claims.sub).catch(oidcRefusal)) } : {}
  // What is said of another address is not said of this one.
  if (said.email && more.email !== said.email) delete more.email_verified
  const all = { ...more, ...said }
  return promised && !('email_verified' in all) ? { ...all, email_verified: null } : all
}
