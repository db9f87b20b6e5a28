import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Deps } from '../../../deps.ts'
import { liveCertificates } from './certificates.ts'
import { quotedWord, refuse } from './faults.ts'
import type { givenBy } from './given.ts'
import { type Identity, readIdentity } from './identity.ts'
import { requireStrongAlgorithms } from './saml-algorithms.ts'
import { samlRefusal } from './saml-faults.ts'
import { attributesOf, heldAssertion } from './saml-held.ts'
import { readResponseText, rootOf } from './saml-text.ts'
import { type Connection, placeOf } from './scope.ts'

/** The id of the request that an answer must name. */
export type SamlTrip = { requestId: string }
type Given = ReturnType<typeof givenBy>
type Making = Pick<Deps, 'secrets'>

export const SKEW_MS = 60_000
const OLDEST_MS = 10 * 60_000
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

/** Nothing is kept between a request and its answer but what the attempt holds. */
const cacheOf = (requestId: string) => ({
  saveAsync: async () => null,
  getAsync: async (key: string) => (key === requestId ? new Date().toISOString() : null),
  removeAsync: async () => null,
})

function optionsOf({ secrets }: Making, row: Connection, given: Given, requestId: string): SamlConfig {
  return {
    issuer: given.entityId,
    callbackUrl: given.acsUrl,
    audience: given.entityId,
    entryPoint: row.ssoUrl,
    idpIssuer: row.entityId,
    idpCert: liveCertificates(row.certificates),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: row.responseSigned,
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: cacheOf(requestId),
    generateUniqueId: () => requestId,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: OLDEST_MS,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(row.signingKey && { privateKey: secrets.open(row.signingKey, placeOf(row, 'key')) }),
  }
}

function requireLive({ certificates }: Connection) {
  if (!liveCertificates(certificates).length)
    refuse(
      'certificate',
      'Le certificat du fournisseur a expiré\u00a0: ajoutez le nouveau dans les réglages de la connexion.',
    )
}

export async function beginSaml(making: Making, row: Connection, given: Given, state: string) {
  requireLive(row)
  const trip: SamlTrip = { requestId: `_${crypto.randomUUID()}` }
  const saml = new SAML(optionsOf(making, row, given, trip.requestId))
  return { url: await saml.getAuthorizeUrlAsync(state, undefined, {}), trip }
}

function requireEnvelope(xml: string, { acsUrl }: Given, { requestId }: SamlTrip) {
  const { name, attributes } = rootOf(xml)
  if (name !== 'Response') refuse('unreadable', `Une réponse SAML est attendue, et non ${quotedWord(name)}.`)
  if (attributes.Destination !== acsUrl)
    refuse(
      'destination',
      `La réponse est adressée ailleurs (Destination ${quotedWord(attributes.Destination)}) qu’à ${acsUrl}.`,
    )
  if (attributes.InResponseTo !== requestId)
    refuse(
      'in-response-to',
      'La réponse ne répond pas à la demande faite ici (InResponseTo)\u00a0: elle est d’une autre, ou n’en a pas.',
    )
}

/** Who came back, and the id of the assertion, which is good once. Only what the signature covers is read. */
export async function answerSaml(
  making: Making,
  row: Connection,
  given: Given,
  encoded: string,
  trip: SamlTrip,
): Promise<{ identity: Identity; assertionId: string }> {
  requireLive(row)
  const xml = readResponseText(encoded)
  requireEnvelope(xml, given, trip)
  await requireStrongAlgorithms(xml)
  const saml = new SAML(optionsOf(making, row, given, trip.requestId))
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded }).catch(samlRefusal)
  const assertion = profile?.getAssertion?.()
  if (!profile || !assertion) return refuse('no-assertion', 'La réponse ne contient pas d’assertion signée.')
  const held = heldAssertion(assertion, { issuer: row.entityId, recipient: given.acsUrl, requestId: trip.requestId })
  const claims = { ...attributesOf(profile), NameID: held.nameId }
  return { identity: readIdentity(held.nameId, claims, row.groupClaim), assertionId: held.id }
}

/** What the provider is given to read. */
export function metadataOf(making: Making, row: Connection, given: Given): string {
  const placeholder = row.certificates.length ? row.certificates : ['MIIB']
  const saml = new SAML({ ...optionsOf(making, row, given, '_0'), idpCert: placeholder })
  return saml.generateServiceProviderMetadata(null, row.signingCertificate)
}
