import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js'
import { throwSsoRefusal } from './faults.ts'

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
export async function requireStrongAlgorithms(xml: string) {
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
