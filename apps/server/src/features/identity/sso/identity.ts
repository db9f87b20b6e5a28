import { Email } from '@voisol/contract/primitives'
import { throwSsoRefusal } from './sso-connection.ts'

/** Who a provider says somebody is. */
export type SsoIdentity = {
  subject: string
  email: string
  firstName: string
  lastName: string
  groups: string[]
  claims: { name: string; value: string }[]
}

type Claims = Record<string, unknown>

const CLAIM_NAMESPACE = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const CLAIM_NAMES = {
  email: [
    'email',
    'mail',
    `${CLAIM_NAMESPACE}emailaddress`,
    'urn:oid:0.9.2342.19200300.100.1.3',
    'upn',
    'preferred_username',
    'NameID',
  ],
  firstName: ['given_name', 'firstName', 'givenName', `${CLAIM_NAMESPACE}givenname`, 'urn:oid:2.5.4.42'],
  lastName: ['family_name', 'lastName', 'sn', 'surname', `${CLAIM_NAMESPACE}surname`, 'urn:oid:2.5.4.4'],
  name: ['name', 'displayName', `${CLAIM_NAMESPACE}name`],
}
const MAX_CLAIMS = 60
const MAX_CLAIM_LENGTH = 200

const toText = (value: unknown): string => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one.trim() : ''
}
const findFirstClaim = (claims: Claims, names: string[]) =>
  names.map((name) => toText(claims[name])).find(Boolean) ?? ''
/** A user name is an address in many directories, and not in others. */
const findAddress = (claims: Claims) =>
  CLAIM_NAMES.email.map((claim) => ({ claim, text: toText(claims[claim]) })).find(({ text }) => text.includes('@'))
/** Providers write a truth in several ways; what is none of them is not one. */
const isTrueClaim = (value: unknown): boolean => {
  const one = Array.isArray(value) ? value[0] : value
  return one === true || one === 1 || (typeof one === 'string' && /^\s*(?:true|1)\s*$/i.test(one))
}
const toStringList = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)

function getNames(claims: Claims, email: string) {
  const given = {
    firstName: findFirstClaim(claims, CLAIM_NAMES.firstName),
    lastName: findFirstClaim(claims, CLAIM_NAMES.lastName),
  }
  if (given.firstName || given.lastName) return given
  const [firstName = '', ...rest] = (findFirstClaim(claims, CLAIM_NAMES.name) || email.split('@', 1)[0] || '').split(
    /\s+/,
  )
  return { firstName, lastName: rest.join(' ') }
}

/** Control characters end up in mails and lists. */
const cleanText = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, MAX_CLAIM_LENGTH)
const formatClaim = (value: unknown) => cleanText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The subject and the address are what counts; the rest is shown to whoever tries the connection. */
export function parseIdentity(subject: string, claims: Claims, groupClaim: string): SsoIdentity {
  if (!subject || subject.length > 500)
    throwSsoRefusal('subject', 'Le fournisseur n’a pas dit de qui il s’agit (sub ou NameID absent).')
  const address = findAddress(claims)
  const email = Email.safeParse(address?.text)
  if (!email.success)
    return throwSsoRefusal(
      'email',
      'Le fournisseur n’a pas donné d’adresse e-mail\u00a0: ajoutez-la aux attributs envoyés (email, ou emailaddress en SAML).',
    )
  // The claim is about `email` and nothing else: an address that another claim gave was verified by nobody.
  if ('email_verified' in claims && !(address?.claim === 'email' && isTrueClaim(claims.email_verified)))
    throwSsoRefusal('email-unverified', `Le fournisseur dit que l’adresse ${email.data} n’est pas vérifiée.`)
  const { firstName, lastName } = getNames(claims, email.data)
  return {
    subject,
    email: email.data,
    firstName: cleanText(firstName),
    lastName: cleanText(lastName),
    groups: toStringList(claims[groupClaim]).map(cleanText),
    claims: Object.entries(claims)
      .slice(0, MAX_CLAIMS)
      .map(([name, value]) => ({ name: cleanText(name), value: formatClaim(value) })),
  }
}
