import { RefusedAddressError } from '../../../adapters/post/post.ts'
import { quoteValue, SsoRefusal } from './faults.ts'

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

export const ISSUED_IN_FUTURE: [string, string] = [
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
export function throwOidcRefusal(error: unknown): never {
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
