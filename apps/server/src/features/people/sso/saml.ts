import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Deps } from '../../../deps.ts'
import { filterValidCertificates } from './certificates.ts'
import { quoteValue, throwSsoRefusal } from './faults.ts'
import type { getServiceUrls } from './given.ts'
import { parseIdentity, type SsoIdentity } from './identity.ts'
import { requireStrongAlgorithms } from './saml-algorithms.ts'
import { throwSamlRefusal } from './saml-faults.ts'
import { checkSamlAssertion, getSamlAttributes } from './saml-held.ts'
import { decodeSamlResponse, parseRootElement } from './saml-text.ts'
import { getSsoSealContext, type SsoConnectionRow } from './scope.ts'

/** The id of the request that an answer must name. */
export type SamlLoginState = { requestId: string }
type ServiceUrls = ReturnType<typeof getServiceUrls>
type SamlDeps = Pick<Deps, 'secrets'>

export const CLOCK_SKEW_MS = 60_000
const MAX_ASSERTION_AGE_MS = 10 * 60_000
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** Nothing is kept between a request and its answer but what the attempt holds. */
const buildRequestCache = (requestId: string) => ({
  saveAsync: async () => null,
  getAsync: async (key: string) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
})

function buildSamlConfig(
  { secrets }: SamlDeps,
  row: SsoConnectionRow,
  given: ServiceUrls,
  requestId: string,
): SamlConfig {
  return {
    issuer: given.entityId,
    callbackUrl: given.acsUrl,
    audience: given.entityId,
    entryPoint: row.ssoUrl,
    idpIssuer: row.entityId,
    idpCert: filterValidCertificates(row.certificates),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: row.responseSigned,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: buildRequestCache(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(row.signingKey && { privateKey: secrets.open(row.signingKey, getSsoSealContext(row, 'key')) }),
  }
}

function requireValidCertificate({ certificates }: SsoConnectionRow) {
  if (!filterValidCertificates(certificates).length)
    throwSsoRefusal(
      'certificate',
      'Le certificat du fournisseur a expiré\u00a0: ajoutez le nouveau dans les réglages de la connexion.',
    )
}

export async function beginSaml(making: SamlDeps, row: SsoConnectionRow, given: ServiceUrls, state: string) {
  requireValidCertificate(row)
  const trip: SamlLoginState = { requestId: `_${crypto.randomUUID()}` }
  const saml = new SAML(buildSamlConfig(making, row, given, trip.requestId))
  return { url: await saml.getAuthorizeUrlAsync(state, undefined, {}), trip }
}

function requireEnvelope(xml: string, { acsUrl }: ServiceUrls, { requestId }: SamlLoginState) {
  const { name, attributes } = parseRootElement(xml)
  if (name !== 'Response') throwSsoRefusal('unreadable', `Une réponse SAML est attendue, et non ${quoteValue(name)}.`)
  if (attributes.Destination !== acsUrl)
    throwSsoRefusal(
      'destination',
      `La réponse est adressée ailleurs (Destination ${quoteValue(attributes.Destination)}) qu’à ${acsUrl}.`,
    )
  if (attributes.InResponseTo !== requestId)
    throwSsoRefusal(
      'in-response-to',
      'La réponse ne répond pas à la demande faite ici (InResponseTo)\u00a0: elle est d’une autre, ou n’en a pas.',
    )
}

/** Who came back, and the id of the assertion, which is good once. Only what the signature covers is read. */
export async function verifySamlAnswer(
  making: SamlDeps,
  row: SsoConnectionRow,
  given: ServiceUrls,
  encoded: string,
  trip: SamlLoginState,
): Promise<{ identity: SsoIdentity; assertionId: string }> {
  requireValidCertificate(row)
  const xml = decodeSamlResponse(encoded)
  requireEnvelope(xml, given, trip)
  await requireStrongAlgorithms(xml)
  const saml = new SAML(buildSamlConfig(making, row, given, trip.requestId))
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded }).catch(throwSamlRefusal)
  const assertion = profile?.getAssertion?.()
  if (!profile || !assertion) return throwSsoRefusal('no-assertion', 'La réponse ne contient pas d’assertion signée.')
  const checked = checkSamlAssertion(assertion, {
    issuer: row.entityId,
    recipient: given.acsUrl,
    requestId: trip.requestId,
  })
  const claims = { ...getSamlAttributes(profile), NameID: checked.nameId }
  return { identity: parseIdentity(checked.nameId, claims, row.groupClaim), assertionId: checked.id }
}

/** What the provider is given to read. */
export function buildServiceMetadata(making: SamlDeps, row: SsoConnectionRow, given: ServiceUrls): string {
  const placeholder = row.certificates.length ? row.certificates : ['MIIB']
  const saml = new SAML({ ...buildSamlConfig(making, row, given, '_0'), idpCert: placeholder })
  return saml.generateServiceProviderMetadata(null, row.signingCertificate)
}
