import type { Profile } from '@node-saml/node-saml'
import { quoteValue, throwSsoRefusal } from './faults.ts'

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
export function checkSamlAssertion(document: Xml, { issuer, recipient, requestId }: ExpectedAssertion) {
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
export const getSamlAttributes = (profile: Profile): Xml => ({ ...(profile.attributes as Xml | undefined) }) // set by node-saml
