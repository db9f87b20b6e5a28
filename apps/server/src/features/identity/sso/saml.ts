import { type Profile, SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml'
import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js'
import type { Deps } from '../../../deps.ts'
import { filterValidCertificates } from './certificates.ts'
import { parseIdentity, type SsoIdentity } from './identity.ts'
import {
  type getServiceUrls,
  getSsoSealContext,
  quoteValue,
  type SsoConnectionRow,
  SsoRefusal,
  throwSsoRefusal,
} from './sso-connection.ts'

/** The id of the request that an answer must name. */
export type SamlLoginState = { requestId: string }
type ServiceUrls = ReturnType<typeof getServiceUrls>
type SamlDeps = Pick<Deps, 'secrets'>

const CLOCK_SKEW_MS = 60_000
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

const MAX_RESPONSE_BYTES = 256_000
const ROOT_PATTERN = /^\s*(?:<\?xml[^<>]*\?>)?\s*<(?:[\w.-]+:)?(\w+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*>/
const ATTRIBUTE_PATTERN = /([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/** Parsers disagree about these, and a response needs none of them: what holds one is not looked at further. */
const FORBIDDEN_SYNTAX: [RegExp, string, string][] = [
  [
    /<!DOCTYPE|<!ENTITY/i,
    'dtd',
    'La réponse contient une définition de type (DTD) ou une entité\u00a0: elle n’est pas lue.',
  ],
  [
    /<!--/,
    'comment',
    'La réponse contient un commentaire XML, qui pourrait couper un nom en deux\u00a0: elle n’est pas lue.',
  ],
  [/<!\[CDATA\[/, 'cdata', 'La réponse contient une section CDATA\u00a0: elle n’est pas lue.'],
  [/<\?(?!xml\s)/, 'instruction', 'La réponse contient une instruction de traitement\u00a0: elle n’est pas lue.'],
]
/** The text of a response, before any parser sees it. */
function decodeSamlResponse(encoded: string): string {
  if (!encoded || encoded.length > MAX_RESPONSE_BYTES || !/^[A-Za-z0-9+/=\s]+$/.test(encoded))
    return throwSsoRefusal('unreadable', 'La réponse SAML est absente, trop longue, ou n’est pas en base64.')
  const xml = decodeBase64Text(encoded)
  for (const [pattern, code, sentence] of FORBIDDEN_SYNTAX) if (pattern.test(xml)) throwSsoRefusal(code, sentence)
  return xml
}

function decodeBase64Text(encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    return throwSsoRefusal('unreadable', 'La réponse SAML n’est pas un texte en UTF-8.')
  }
}

/** What the outermost element says of itself. */
function parseRootElement(xml: string): { name: string; attributes: Record<string, string> } {
  const [, name = '', written = ''] = ROOT_PATTERN.exec(xml) ?? []
  const attributes: Record<string, string> = {}
  for (const [, key = '', double, single] of written.matchAll(ATTRIBUTE_PATTERN)) {
    if (key in attributes) throwSsoRefusal('unreadable', 'La réponse SAML répète un attribut.')
    attributes[key] = double ?? single ?? ''
  }
  return { name, attributes }
}

const XMLDSIG = 'http://www.w3.org/2001/04/xmldsig-more'
const XMLENC = 'http://www.w3.org/2001/04/xmlenc'

/** What each element may name. SHA-1 can be forged, and an HMAC needs no key of the provider's. */
const ALLOWED_ALGORITHMS = {
  SignatureMethod: [
    `${XMLDSIG}#rsa-sha256`,
    `${XMLDSIG}#rsa-sha512`,
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: [`${XMLENC}#sha256`, `${XMLENC}#sha512`],
}

/**
 * The algorithms of every signature in the answer, as the parser that checks them reads them: the text may write `rsa-sha1` in
 * many ways that mean the same.
 */
async function requireStrongAlgorithms(xml: string) {
  const document = await parseDomFromString(xml).catch(() =>
    throwSsoRefusal('unreadable', 'La réponse SAML n’est pas lisible\u00a0: ce n’est pas un document XML.'),
  )
  for (const [name, allowed] of Object.entries(ALLOWED_ALGORITHMS))
    for (const element of xpath.selectElements(document, `//*[local-name(.)='${name}']`))
      if (!allowed.includes(element.getAttribute('Algorithm') ?? ''))
        throwSsoRefusal(
          'weak-signature',
          'La signature emploie SHA-1 ou un autre algorithme trop faible\u00a0: choisissez SHA-256 chez le fournisseur.',
        )
}

const CLOCK_ADVICE = 'Si l’heure est juste chez le fournisseur, réglez celle de ce serveur (NTP).'

/** What the library says, as a sentence that says what was wrong. */
const SAML_ERROR_SENTENCES: [RegExp, string, string][] = [
  [
    /multiple assertions/i,
    'several',
    'La réponse contient plusieurs assertions\u00a0: une signature pourrait n’en couvrir qu’une.',
  ],
  [/Too many signatures/i, 'wrapped', 'Un élément porte plusieurs signatures\u00a0: la réponse a été recomposée.'],
  [
    /does not refer to it's parent|more than one element|only 1 signed/i,
    'wrapped',
    'La signature couvre un autre élément que celui qui la porte\u00a0: la réponse a été recomposée.',
  ],
  [
    /too many transforms/i,
    'transforms',
    'La signature demande des transformations inhabituelles\u00a0: elle n’est pas acceptée.',
  ],
  [
    /Invalid document signature/i,
    'response-signature',
    'La réponse n’est pas signée par le fournisseur, alors que cette connexion le demande.',
  ],
  [
    /Invalid signature|Cannot obtain assertion/i,
    'signature',
    'L’assertion n’est pas signée, ou sa signature n’est pas celle d’un certificat de la connexion.',
  ],
  [/Missing SAML assertion/i, 'no-assertion', 'La réponse ne contient pas d’assertion à l’endroit attendu.'],
  [
    /No decryption key/i,
    'encrypted',
    'L’assertion est chiffrée\u00a0: demandez au fournisseur de la signer sans la chiffrer.',
  ],
  [/not yet valid/i, 'not-yet', `L’assertion n’est pas encore valable\u00a0: les horloges diffèrent. ${CLOCK_ADVICE}`],
  [/expired|No valid subject confirmation/i, 'expired', `L’assertion a expiré. ${CLOCK_ADVICE}`],
  [
    /audience/i,
    'audience',
    'L’assertion est destinée à un autre service (Audience)\u00a0: vérifiez l’identifiant d’entité chez le fournisseur.',
  ],
  [
    /Unknown SAML issuer|Missing SAML issuer/i,
    'issuer',
    'La réponse vient d’un autre émetteur que celui de la connexion (Issuer).',
  ],
  [/InResponseTo/i, 'in-response-to', 'La réponse ne répond pas à la demande faite ici (InResponseTo).'],
]

function throwSamlRefusal(error: unknown): never {
  if (error instanceof SsoRefusal) throw error
  const message = error instanceof Error ? error.message : String(error)
  const status = /SAML provider returned (\w+) error: (.*)/.exec(message)
  if (status)
    throwSsoRefusal(
      'provider',
      `Le fournisseur a refusé la connexion\u00a0: ${quoteValue(`${status[1]} ${status[2]}`)}.`,
    )
  const known = SAML_ERROR_SENTENCES.find(([pattern]) => pattern.test(message))
  if (known) throwSsoRefusal(known[1], known[2])
  return throwSsoRefusal(
    'unreadable',
    'La réponse SAML n’est pas lisible, ou sa structure n’est pas celle d’une réponse.',
  )
}

type Xml = Record<string, unknown>
type ExpectedAssertion = { issuer: string; recipient: string; requestId: string }

const BEARER_METHOD = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

const getChildren = (parent: unknown, name: string): Xml[] => {
  const found = parent !== null && typeof parent === 'object' ? (parent as Xml)[name] : undefined // looked at by name
  return Array.isArray(found) ? found : []
}
const getSingleChild = (parent: unknown, name: string): Xml => {
  const [one, ...more] = getChildren(parent, name)
  if (!one || more.length)
    return throwSsoRefusal('structure', `L’assertion doit contenir exactement un élément ${name}.`)
  return one
}
const getAttribute = (node: Xml, name: string): string => {
  const given = (node.$ as Xml | undefined)?.[name] // where xml2js keeps attributes
  return typeof given === 'string' ? given : ''
}
const getText = (node: Xml): string => (typeof node._ === 'string' ? node._.trim() : '')

/** What the library leaves open: from whom, for whom it is confirmed, until when, and that there is one of each. */
function checkSamlAssertion(document: Xml, { issuer, recipient, requestId }: ExpectedAssertion) {
  const assertion = document.Assertion as Xml // the signed element itself
  const named = getText(getSingleChild(assertion, 'Issuer'))
  if (named !== issuer)
    throwSsoRefusal(
      'issuer',
      `L’assertion vient d’un autre émetteur\u00a0: ${quoteValue(named)} au lieu de ${quoteValue(issuer)}.`,
    )
  const subject = getSingleChild(assertion, 'Subject')
  const confirmation = getSingleChild(subject, 'SubjectConfirmation')
  if (getAttribute(confirmation, 'Method') !== BEARER_METHOD)
    throwSsoRefusal('confirmation', 'L’assertion n’est pas confirmée au porteur (SubjectConfirmation).')
  const data = getSingleChild(confirmation, 'SubjectConfirmationData')
  if (getAttribute(data, 'Recipient') !== recipient)
    throwSsoRefusal(
      'recipient',
      `L’assertion est confirmée pour un autre destinataire (Recipient ${quoteValue(getAttribute(data, 'Recipient'))}).`,
    )
  if (getAttribute(data, 'InResponseTo') !== requestId)
    throwSsoRefusal('in-response-to', 'L’assertion ne répond pas à la demande faite ici (InResponseTo).')
  if (!getAttribute(data, 'NotOnOrAfter'))
    throwSsoRefusal('expired', 'L’assertion ne dit pas jusqu’à quand elle vaut (NotOnOrAfter).')
  getSingleChild(assertion, 'Conditions')
  const id = getAttribute(assertion, 'ID')
  if (!id || id.length > 200) throwSsoRefusal('structure', 'L’assertion n’a pas d’identifiant (ID).')
  return { id, nameId: getText(getSingleChild(subject, 'NameID')) }
}

/** Only what stood in the attributes of the assertion. */
const getSamlAttributes = (profile: Profile): Xml => ({ ...(profile.attributes as Xml | undefined) }) // set by node-saml
