import { Email } from '@voisol/contract/primitives'
import { refuse } from './faults.ts'

/** Who a provider says somebody is. */
export type Identity = {
  subject: string
  email: string
  firstName: string
  lastName: string
  groups: string[]
  claims: { name: string; value: string }[]
}

type Claims = Record<string, unknown>

const CLAIM = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const NAMES = {
  email: [
    'email',
    'mail',
    `${CLAIM}emailaddress`,
    'urn:oid:0.9.2342.19200300.100.1.3',
    'upn',
    'preferred_username',
    'NameID',
  ],
  firstName: ['given_name', 'firstName', 'givenName', `${CLAIM}givenname`, 'urn:oid:2.5.4.42'],
  lastName: ['family_name', 'lastName', 'sn', 'surname', `${CLAIM}surname`, 'urn:oid:2.5.4.4'],
  name: ['name', 'displayName', `${CLAIM}name`],
}
const MOST_CLAIMS = 60
const MOST_TEXT = 200

const textOf = (value: unknown): string => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one.trim() : ''
}
const first = (claims: Claims, names: string[]) => names.map((name) => textOf(claims[name])).find(Boolean) ?? ''
/** A user name is an address in many directories, and not in others. */
const findAddress = (claims: Claims) =>
  NAMES.email.map((claim) => ({ claim, text: textOf(claims[claim]) })).find(({ text }) => text.includes('@'))
/** Providers write a truth in several ways; what is none of them is not one. */
const isYes = (value: unknown): boolean => {
  const one = Array.isArray(value) ? value[0] : value
  return one === true || one === 1 || (typeof one === 'string' && /^\s*(?:true|1)\s*$/i.test(one))
}
const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)

function namesOf(claims: Claims, email: string) {
  const given = { firstName: first(claims, NAMES.firstName), lastName: first(claims, NAMES.lastName) }
  if (given.firstName || given.lastName) return given
  const [firstName = '', ...rest] = (first(claims, NAMES.name) || email.split('@', 1)[0] || '').split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

/** Control characters end up in mails and lists. */
const clean = (text: string) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, MOST_TEXT)
const shown = (value: unknown) => clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The subject and the address are what counts; the rest is shown to whoever tries the connection. */
export function readIdentity(subject: string, claims: Claims, groupClaim: string): Identity {
  if (!subject || subject.length > 500)
    refuse('subject', 'Le fournisseur n’a pas dit de qui il s’agit (sub ou NameID absent).')
  const address = findAddress(claims)
  const email = Email.safeParse(address?.text)
  if (!email.success)
    return refuse(
      'email',
      'Le fournisseur n’a pas donné d’adresse e-mail\u00a0: ajoutez-la aux attributs envoyés (email, ou emailaddress en SAML).',
    )
  // The claim is about `email` and nothing else: an address that another claim gave was verified by nobody.
  if ('email_verified' in claims && !(address?.claim === 'email' && isYes(claims.email_verified)))
    refuse('email-unverified', `Le fournisseur dit que l’adresse ${email.data} n’est pas vérifiée.`)
  const { firstName, lastName } = namesOf(claims, email.data)
  return {
    subject,
    email: email.data,
    firstName: clean(firstName),
    lastName: clean(lastName),
    groups: listOf(claims[groupClaim]).map(clean),
    claims: Object.entries(claims)
      .slice(0, MOST_CLAIMS)
      .map(([name, value]) => ({ name: clean(name), value: shown(value) })),
  }
}
