import { and, eq } from 'drizzle-orm'
import * as client from 'openid-client'
import type { Db } from '../../../db/client.ts'
import { ssoConnections } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { OutboundClient } from '../../../integrations/post/outbound-client.ts'
import { RefusedAddressError } from '../../../integrations/post/post.ts'
import { parseIdentity, type SsoIdentity } from './identity.ts'
import { getSsoSealContext, quoteValue, type SsoConnectionRow, SsoRefusal, throwSsoRefusal } from './sso-connection.ts'

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
  making: OidcDeps & Pick<Deps, 'aside'>,
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
  const all = await completeClaims(config, tokens.access_token, claims, row)
  if ('email_verified' in all && !row.sendsEmailVerified) await rememberEmailVerifiedClaim(making.aside, row)
  return parseIdentity(claims.sub, all, row.groupClaim)
}

/** Announcing claims is optional: what a provider has sent once tells as well that it sends it. */
const rememberEmailVerifiedClaim = (aside: Db, { companyId, id }: SsoConnectionRow) =>
  aside
    .update(ssoConnections)
    .set({ sendsEmailVerified: true })
    .where(and(eq(ssoConnections.companyId, companyId), eq(ssoConnections.id, id)))

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
async function completeClaims(
  config: client.Configuration,
  token: string,
  claims: client.IDToken,
  { sendsEmailVerified }: SsoConnectionRow,
): Promise<Claims> {
  const { userinfo_endpoint: hasMore, claims_supported: offered = [] } = config.serverMetadata()
  // Who announces this claim, or sent it before, and leaves it out now, does not say that the address is verified.
  const promised = sendsEmailVerified || offered.includes('email_verified')
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

type Detail = Record<string, unknown>

const toDetail = (value: unknown): Detail => (value !== null && typeof value === 'object' ? (value as Detail) : {}) // looked at by name

/** Every error beneath an error, and what each carries. */
function listErrorCauses(error: unknown): Detail[] {
  const found: Detail[] = []
  for (let at: unknown = error; at !== undefined && at !== null && found.length < 6; at = toDetail(at).cause) {
    found.push(toDetail(at))
  }
  return found
}

const CLOCK_ADVICE = 'Si elle est juste chez lui, réglez l’heure de ce serveur ou la sienne (NTP).'

const ISSUED_IN_FUTURE: [string, string] = [
  'not-yet',
  `Le jeton est émis dans le futur (iat)\u00a0: les horloges diffèrent. ${CLOCK_ADVICE}`,
]

const CLAIM_REFUSALS: Record<string, (body: Detail) => [string, string]> = {
  iss: ({ expected, claims }) => [
    'issuer',
    `Le jeton vient d’un autre émetteur\u00a0: ${quoteValue(toDetail(claims).iss)} au lieu de ${quoteValue(expected)}.`,
  ],
  aud: ({ claims }) => [
    'audience',
    `Le jeton est destiné à un autre service\u00a0: ${quoteValue(toDetail(claims).aud)}. Vérifiez l’identifiant client.`,
  ],
  azp: () => ['audience', 'Le jeton a été demandé par un autre service (azp).'],
  nonce: () => [
    'nonce',
    'Le jeton ne répond pas à cette demande (nonce)\u00a0: il a déjà servi, ou il est d’une autre.',
  ],
  exp: () => ['expired', `Le jeton a expiré (exp). ${CLOCK_ADVICE}`],
  nbf: () => ['not-yet', `Le jeton n’est pas encore valable (nbf)\u00a0: les horloges diffèrent. ${CLOCK_ADVICE}`],
  iat: () => ISSUED_IN_FUTURE,
}

const CODE_REFUSALS: Record<string, [string, string]> = {
  OAUTH_RESPONSE_IS_NOT_JSON: [
    'not-json',
    'L’adresse répond une page et non des réglages OpenID\u00a0: vérifiez l’émetteur, par exemple https://login.microsoftonline.com/<annuaire>/v2.0.',
  ],
  OAUTH_PARSE_ERROR: [
    'not-json',
    'La réponse du fournisseur n’est pas lisible (JSON attendu)\u00a0: vérifiez l’émetteur.',
  ],
  OAUTH_RESPONSE_IS_NOT_CONFORM: [
    'not-found',
    'Le fournisseur ne donne pas de réglages OpenID à cette adresse\u00a0: vérifiez l’émetteur, ou réessayez plus tard.',
  ],
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: [
    'issuer',
    'Le fournisseur se nomme autrement que l’émetteur saisi\u00a0: recopiez son émetteur exact.',
  ],
  OAUTH_KEY_SELECTION_FAILED: [
    'signature',
    'Aucune clé publiée par le fournisseur ne correspond à la signature du jeton.',
  ],
  OAUTH_UNSUPPORTED_OPERATION: ['algorithm', 'Le jeton est signé d’une manière qui n’est pas acceptée.'],
  OAUTH_TIMEOUT: ['silent', 'Le fournisseur n’a pas répondu en dix secondes\u00a0: réessayez, ou consultez son état.'],
}

const PROVIDER_ERROR_SENTENCES: Record<string, string> = {
  invalid_client:
    'Le fournisseur refuse le secret client\u00a0: il a expiré ou changé. Renouvelez-le, puis enregistrez-le ici.',
  invalid_grant: 'Le code d’autorisation a déjà servi, a expiré, ou n’est pas celui de cette demande.',
  access_denied: 'La personne, ou son fournisseur, a refusé la connexion.',
  unauthorized_client: 'Le fournisseur ne permet pas ce mode de connexion à cet identifiant client.',
}

function findAlgorithmRefusal(chain: Detail[]): SsoRefusal | undefined {
  const header = chain.map(({ header }) => toDetail(header)).find(({ alg }) => alg !== undefined)
  const wrong = chain.some(({ message }) => /"alg"|JWS "alg"|signature verification/i.test(String(message)))
  if (!wrong) return undefined
  if (chain.some(({ message }) => /signature verification/i.test(String(message))))
    return new SsoRefusal('signature', 'La signature du jeton n’est pas celle du fournisseur.')
  return new SsoRefusal(
    'algorithm',
    `Le jeton n’est pas signé d’une manière acceptée (alg ${quoteValue(header?.alg ?? 'absent')}).`,
  )
}

function findClaimRefusal(chain: Detail[]): SsoRefusal | undefined {
  for (const body of chain) {
    const found = CLAIM_REFUSALS[String(body.claim)]
    if (found) return new SsoRefusal(...found(body))
  }
  const missing = chain
    .map(({ message }) => /JWT "(\w+)" \(.*\) claim missing/.exec(String(message))?.[1])
    .find(Boolean)
  return missing ? new SsoRefusal(missing, `Le jeton ne dit pas «\u00a0${missing}\u00a0», qui est demandé.`) : undefined
}

function findProviderRefusal(chain: Detail[]): SsoRefusal | undefined {
  const providerError = chain.map(({ error }) => error).find((error) => typeof error === 'string')
  if (typeof providerError !== 'string') return undefined
  return new SsoRefusal(
    providerError,
    PROVIDER_ERROR_SENTENCES[providerError] ?? `Le fournisseur a refusé\u00a0: ${quoteValue(providerError)}.`,
  )
}

/** What went wrong between this server and a provider, as a sentence that says what to do. */
function throwOidcRefusal(error: unknown): never {
  if (error instanceof SsoRefusal) throw error
  const chain = listErrorCauses(error)
  const refused = [error, ...chain].find((one) => one instanceof RefusedAddressError)
  if (refused) throw new SsoRefusal('address', refused.message)
  const known = findClaimRefusal(chain) ?? findProviderRefusal(chain) ?? findAlgorithmRefusal(chain)
  if (known) throw known
  const state = chain.some(({ message }) => /"state"/.test(String(message)))
  if (state) throw new SsoRefusal('state', 'La réponse ne porte pas la demande faite ici (state).')
  const iss = chain.some(({ message }) => /"iss" \(issuer\)/.test(String(message)))
  if (iss) throw new SsoRefusal('issuer', 'La réponse vient d’un autre émetteur que celui de la connexion (iss).')
  const coded = chain.map(({ code }) => CODE_REFUSALS[String(code)]).find(Boolean)
  if (coded) throw new SsoRefusal(...coded)
  throw new SsoRefusal(
    'silent',
    'Le fournisseur n’a pas répondu, ou sa réponse n’est pas celle d’un fournisseur OpenID\u00a0: vérifiez l’émetteur.',
  )
}
