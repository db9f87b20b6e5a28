import * as client from 'openid-client'
import type { OutboundClient } from '../../../adapters/post/outside.ts'
import type { Deps } from '../../../deps.ts'
import { quoteValue, throwSsoRefusal } from './faults.ts'
import { parseIdentity, type SsoIdentity } from './identity.ts'
import { ISSUED_IN_FUTURE, throwOidcRefusal } from './oidc-faults.ts'
import { getSsoSealContext, type SsoConnectionRow } from './scope.ts'

type Provider = { issuer: string; clientId: string }
/** What this way to the provider and back is known by; kept sealed until the answer. */
export type OidcLoginState = { nonce: string; verifier: string }

const TIMEOUT_SECONDS = 10
/** Clocks that differ by more are said to. */
const CLOCK_TOLERANCE_SECONDS = 60
/** Issuers of Entra that speak for every organisation: anybody's administrator would sign in as anybody. */
const SHARED_ISSUER_PATTERN = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/

const buildFetch =
  (outside: OutboundClient): client.CustomFetch =>
  (url, { method, headers, body, signal }) =>
    outside.fetch(url, { method, headers, body, signal })

/** In the way that the provider understands, as it says itself. */
const buildClientAuth =
  (secret: string): client.ClientAuth =>
  (server, ...call) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const basic = offered.includes('client_secret_basic')
    return (basic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret))(server, ...call)
  }

/** The provider as it describes itself; it must be the very one that was named. */
export async function discoverProvider(outside: OutboundClient, { issuer, clientId }: Provider, secret = '') {
  const refusal = outside.refusal(issuer)
  if (refusal) throwSsoRefusal('address', refusal)
  if (SHARED_ISSUER_PATTERN.test(issuer))
    throwSsoRefusal(
      'issuer',
      'Cet émetteur vaut pour toutes les organisations\u00a0: mettez l’identifiant de votre annuaire à la place de «\u00a0common\u00a0».',
    )
  const options = {
    [client.customFetch]: buildFetch(outside),
    timeout: TIMEOUT_SECONDS,
    // The signature of the token is looked at although it comes straight from the provider: whoever sits between proves nothing.
    execute: [client.enableNonRepudiationChecks, ...(outside.inner ? [client.allowInsecureRequests] : [])],
  }
  const clientMetadata = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const found = await client
    .discovery(new URL(issuer), clientId, clientMetadata, buildClientAuth(secret), options)
    .catch(throwOidcRefusal)
  const { issuer: named } = found.serverMetadata()
  if (new URL(named).href !== new URL(issuer).href)
    throwSsoRefusal(
      'issuer',
      `Le fournisseur se nomme ${quoteValue(named)} et non ${quoteValue(issuer)}\u00a0: recopiez son émetteur exact.`,
    )
  return found
}

type OidcDeps = Pick<Deps, 'secrets' | 'outside'>

const openClientSecret = ({ secrets }: OidcDeps, row: SsoConnectionRow) =>
  row.clientSecret ? secrets.open(row.clientSecret, getSsoSealContext(row, 'secret')) : ''

/** Where the browser is sent, and what the answer will be held against. */
export async function beginOidc(
  making: OidcDeps,
  row: SsoConnectionRow,
  redirectUri: string,
  state: string,
  email?: string,
) {
  const config = await discoverProvider(making.outside, row, openClientSecret(making, row))
  const trip: OidcLoginState = { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() }
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
export async function verifyOidcAnswer(
  making: OidcDeps,
  row: SsoConnectionRow,
  currentUrl: URL,
  state: string,
  trip: OidcLoginState,
): Promise<SsoIdentity> {
  const config = await discoverProvider(making.outside, row, openClientSecret(making, row))
  const checks = {
    expectedState: state,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.verifier,
    idTokenExpected: true,
  }
  const tokens = await client.authorizationCodeGrant(config, currentUrl, checks).catch(throwOidcRefusal)
  const claims = tokens.claims()
  if (!claims) return throwSsoRefusal('token', 'Le fournisseur n’a pas donné de jeton d’identité (id_token).')
  requireIssuedByNow(claims)
  return parseIdentity(claims.sub, await completeClaims(config, tokens.access_token, claims), row.groupClaim)
}

const PROTOCOL_CLAIMS = new Set([
  'iss',
  'aud',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'sid',
  'azp',
])

/** The library refuses what is too old, and lets through what is not issued yet. */
function requireIssuedByNow({ iat }: client.IDToken) {
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throwSsoRefusal(...ISSUED_IN_FUTURE)
}

type Claims = Record<string, unknown>

/** Some providers say the address and the groups elsewhere; what the signed token says comes first. */
async function completeClaims(config: client.Configuration, token: string, claims: client.IDToken): Promise<Claims> {
  const { userinfo_endpoint: hasMore, claims_supported: offered = [] } = config.serverMetadata()
  // Who says that it sends this claim, and leaves it out, does not say that the address is verified.
  const promised = offered.includes('email_verified')
  const tokenClaims: Claims = Object.fromEntries(Object.entries(claims).filter(([name]) => !PROTOCOL_CLAIMS.has(name)))
  const isIncomplete = !tokenClaims.email || (promised && !('email_verified' in tokenClaims))
  if (!isIncomplete) return tokenClaims
  const userInfo: Claims = hasMore
    ? { ...(await client.fetchUserInfo(config, token, claims.sub).catch(throwOidcRefusal)) }
    : {}
  // What is said of another address is not said of this one.
  if (tokenClaims.email && userInfo.email !== tokenClaims.email) delete userInfo.email_verified
  const all = { ...userInfo, ...tokenClaims }
  return promised && !('email_verified' in all) ? { ...all, email_verified: null } : all
}
