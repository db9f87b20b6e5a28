import type { Profile } from '@node-saml/node-saml'
import { quotedWord, refuse } from './faults.ts'

type Xml = Record<string, unknown>
type Expected = { issuer: string; recipient: string; requestId: string }

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

const nodes = (parent: unknown, name: string): Xml[] => {
  const found = parent !== null && typeof parent === 'object' ? (parent as Xml)[name] : undefined // looked at by name
  return Array.isArray(found) ? found : []
}
const only = (parent: unknown, name: string): Xml => {
  const [one, ...more] = nodes(parent, name)
  if (!one || more.length) return refuse('structure', `L’assertion doit contenir exactement un élément ${name}.`)
  return one
}
const attribute = (node: Xml, name: string): string => {
  const given = (node.$ as Xml | undefined)?.[name] // where xml2js keeps attributes
  return typeof given === 'string' ? given : ''
}
const textOf = (node: Xml): string => (typeof node._ === 'string' ? node._.trim() : '')

/** What the library leaves open: from whom, for whom it is confirmed, until when, and that there is one of each. */
export function heldAssertion(document: Xml, { issuer, recipient, requestId }: Expected) {
  const assertion = document.Assertion as Xml // the signed element itself
  const named = textOf(only(assertion, 'Issuer'))
  if (named !== issuer)
    refuse(
      'issuer',
      `L’assertion vient d’un autre émetteur\u00a0: ${quotedWord(named)} au lieu de ${quotedWord(issuer)}.`,
    )
  const subject = only(assertion, 'Subject')
  const confirmation = only(subject, 'SubjectConfirmation')
  if (attribute(confirmation, 'Method') !== BEARER)
    refuse('confirmation', 'L’assertion n’est pas confirmée au porteur (SubjectConfirmation).')
  const data = only(confirmation, 'SubjectConfirmationData')
  if (attribute(data, 'Recipient') !== recipient)
    refuse(
      'recipient',
      `L’assertion est confirmée pour un autre destinataire (Recipient ${quotedWord(attribute(data, 'Recipient'))}).`,
    )
  if (attribute(data, 'InResponseTo') !== requestId)
    refuse('in-response-to', 'L’assertion ne répond pas à la demande faite ici (InResponseTo).')
  if (!attribute(data, 'NotOnOrAfter'))
    refuse('expired', 'L’assertion ne dit pas jusqu’à quand elle vaut (NotOnOrAfter).')
  only(assertion, 'Conditions')
  const id = attribute(assertion, 'ID')
  if (!id || id.length > 200) refuse('structure', 'L’assertion n’a pas d’identifiant (ID).')
  return { id, nameId: textOf(only(subject, 'NameID')) }
}

/** Only what stood in the attributes of the assertion. */
export const attributesOf = (profile: Profile): Xml => ({ ...(profile.attributes as Xml | undefined) }) // set by node-saml
