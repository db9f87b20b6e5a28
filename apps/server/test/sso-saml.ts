import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import { createSelfSignedCertificate } from '../src/features/identity/sso/self-signed-certificate.ts'

const DAY = 86_400_000
const SAML = 'urn:oasis:names:tc:SAML:2.0'

/** The fields of a SAML response; a forgery changes one of them. */
export type SamlResponseFields = {
  issuer: string
  destination: string
  recipient: string
  audience: string
  inResponseTo: string
  assertionId: string
  nameId: string
  from: Date
  to: Date
  groups: string[]
  method: string
}

const buildAttribute = (name: string, values: string[]) =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

export const buildAssertion = (said: SamlResponseFields) =>
  `<saml:Assertion xmlns:saml="${SAML}:assertion" ID="${said.assertionId}" Version="2.0" IssueInstant="${new Date().toISOString()}">` +
  `<saml:Issuer>${said.issuer}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${said.nameId}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="${said.method}">` +
  `<saml:SubjectConfirmationData NotOnOrAfter="${said.to.toISOString()}" Recipient="${said.recipient}" InResponseTo="${said.inResponseTo}"/>` +
  `</saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${said.from.toISOString()}" NotOnOrAfter="${said.to.toISOString()}">` +
  `<saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="${new Date().toISOString()}"><saml:AuthnContext><saml:AuthnContextClassRef>${SAML}:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  `<saml:AttributeStatement>${buildAttribute('givenName', ['Noé'])}${buildAttribute('surname', ['Vasseur'])}${buildAttribute('groups', said.groups)}</saml:AttributeStatement>` +
  `</saml:Assertion>`

export const buildSamlResponse = (said: SamlResponseFields, inside: string, id = '_reponse-essai') =>
  `<samlp:Response xmlns:samlp="${SAML}:protocol" xmlns:saml="${SAML}:assertion" ID="${id}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${said.destination}" InResponseTo="${said.inResponseTo}">` +
  `<saml:Issuer>${said.issuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="${SAML}:status:Success"/></samlp:Status>${inside}</samlp:Response>`

type Signer = { key: string; certificate: string }

const signElement = (
  { key, certificate }: Signer,
  xml: string,
  element: string,
  hash: 'sha256' | 'sha1' = 'sha256',
) => {
  const xpath = `//*[local-name(.)='${element}']`
  const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' as const }
  return signXml(xml, xpath, location, {
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: hash,
    digestAlgorithm: hash,
  })
}
export const signAssertion = (signer: Signer, xml: string, hash?: 'sha1') => signElement(signer, xml, 'Assertion', hash)
export const signResponse = (signer: Signer, xml: string) => signElement(signer, xml, 'Response')

export const createSigner = (days = 400) =>
  createSelfSignedCertificate('Fournisseur d’essai', new Date(Date.now() - DAY), new Date(Date.now() + days * DAY))

/** The id of an authentication request, and where the answer goes. */
export function parseAuthnRequest(url: URL) {
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
  const read = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? ''
  return {
    xml,
    id: read(/ ID="([^"]+)"/),
    acs: read(/AssertionConsumerServiceURL="([^"]+)"/),
    entity: read(/<saml:Issuer[^>]*>([^<]+)</),
    state: url.searchParams.get('RelayState') ?? '',
  }
}

export const buildValidFields = (url: URL, issuer: string, nameId: string): SamlResponseFields => {
  const { id, acs, entity } = parseAuthnRequest(url)
  return {
    issuer,
    destination: acs,
    recipient: acs,
    audience: entity,
    inResponseTo: id,
    assertionId: `_${crypto.randomUUID()}`,
    nameId,
    from: new Date(Date.now() - 30_000),
    to: new Date(Date.now() + 300_000),
    groups: ['Énergie'],
    method: `${SAML}:cm:bearer`,
  }
}

export const encodeBase64 = (xml: string) => Buffer.from(xml, 'utf8').toString('base64')

/** A SAML identity provider in this process: its page makes the browser post a signed response. */
export async function startSamlProvider(signer: Signer) {
  let nameId = ''
  const http = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const said = buildValidFields(url, issuer, nameId)
    const xml = signAssertion(signer, buildSamlResponse(said, buildAssertion(said)))
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      `<form method="post" action="${said.destination}"><input name="SAMLResponse" value="${encodeBase64(xml)}"><input name="RelayState" value="${url.searchParams.get('RelayState')}"></form>`,
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}/saml` // it listens on a port
  return {
    issuer,
    become(email: string) {
      nameId = email
    },
    /** What the provider's page makes the browser post. */
    async visit(url: string) {
      const page = await (await fetch(url)).text()
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
      const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
      return { action, form: { SAMLResponse: value('SAMLResponse'), RelayState: value('RelayState') } }
    },
    close: () => new Promise((resolve) => http.close(resolve).closeAllConnections()),
  }
}

/**
 * The eight known signature wrapping attacks: a signed element is moved aside and another put in its place. Signed XML
 * is given as text.
 */

const SIGNATURE = /<(?:ds:)?Signature [\s\S]*?<\/(?:ds:)?Signature>/
const ASSERTION = /<saml:Assertion [\s\S]*<\/saml:Assertion>/

const splitSignature = (signed: string, whole: string) => {
  const signature = SIGNATURE.exec(signed)?.[0] ?? ''
  const element = whole === 'assertion' ? (ASSERTION.exec(signed)?.[0] ?? '') : signed
  return { signature, element, bare: element.replace(signature, '') }
}
const EVIL_ID = '_autre-identifiant'
const replaceName = (xml: string, from: string, to: string) => xml.replaceAll(from, to)
const replaceId = (xml: string) => xml.replace(/ ID="[^"]+"/, ` ID="${EVIL_ID}"`)
/** Inserts before the end of an element. */
const insertBeforeEnd = (xml: string, end: string, more: string) => {
  const at = xml.lastIndexOf(end)
  return xml.slice(0, at) + more + xml.slice(at)
}
const ASSERTION_END = '</saml:Assertion>'
const insertIntoSignature = (signature: string, more: string) =>
  insertBeforeEnd(signature, /<\/(?:ds:)?Signature>$/.exec(signature)?.[0] ?? '', `<Object>${more}</Object>`)

type WrappingNames = { own: string; evil: string }

/** For a response signed as a whole. */
export const responseWrappings: Record<string, (signed: string, names: WrappingNames) => string> = {
  XSW1(signed, { own, evil }) {
    const { signature, bare } = splitSignature(signed, 'response')
    return insertBeforeEnd(
      replaceId(replaceName(bare, own, evil)),
      '</samlp:Response>',
      insertIntoSignature(signature, bare),
    )
  },
  XSW2(signed, { own, evil }) {
    const { signature, bare } = splitSignature(signed, 'response')
    return insertBeforeEnd(replaceId(replaceName(bare, own, evil)), '</samlp:Response>', bare + signature)
  },
}

/** For a response whose assertion is signed. */
export const assertionWrappings: Record<string, (signed: string, names: WrappingNames) => string> = {
  XSW3(signed, { own, evil }) {
    const { element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(element, replaceId(replaceName(bare, own, evil)) + element)
  },
  XSW4(signed, { own, evil }) {
    const { element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(element, insertBeforeEnd(replaceId(replaceName(bare, own, evil)), ASSERTION_END, element))
  },
  XSW5(signed, { own, evil }) {
    const { signature, element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(
      element,
      insertBeforeEnd(replaceId(replaceName(bare, own, evil)), ASSERTION_END, signature) + bare,
    )
  },
  XSW6(signed, { own, evil }) {
    const { signature, element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(
      element,
      insertBeforeEnd(replaceId(replaceName(bare, own, evil)), ASSERTION_END, insertIntoSignature(signature, bare)),
    )
  },
  XSW7(signed, { own, evil }) {
    const { element, bare } = splitSignature(signed, 'assertion')
    const put = `<samlp:Extensions>${replaceId(replaceName(bare, own, evil))}</samlp:Extensions>`
    return signed.replace(element, put + element).replace(element, replaceId(replaceName(element, own, evil)))
  },
  XSW8(signed, { own, evil }) {
    const { signature, element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(
      element,
      insertBeforeEnd(replaceId(replaceName(bare, own, evil)), ASSERTION_END, insertIntoSignature(signature, element)),
    )
  },
  'XSW7 by the order alone'(signed, { own, evil }) {
    const { element, bare } = splitSignature(signed, 'assertion')
    return signed.replace(
      element,
      `<samlp:Extensions>${element}</samlp:Extensions>${replaceId(replaceName(bare, own, evil))}`,
    )
  },
}
