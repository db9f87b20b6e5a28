/** The eight known ways to put a signed element aside and another in its place. What is signed is given as text. */

const SIGNATURE = /<(?:ds:)?Signature [\s\S]*?<\/(?:ds:)?Signature>/
const ASSERTION = /<saml:Assertion [\s\S]*<\/saml:Assertion>/

const partsOf = (signed: string, whole: string) => {
  const signature = SIGNATURE.exec(signed)?.[0] ?? ''
  const element = whole === 'assertion' ? (ASSERTION.exec(signed)?.[0] ?? '') : signed
  return { signature, element, bare: element.replace(signature, '') }
}
const EVIL_ID = '_autre-identifiant'
const named = (xml: string, from: string, to: string) => xml.replaceAll(from, to)
const withId = (xml: string) => xml.replace(/ ID="[^"]+"/, ` ID="${EVIL_ID}"`)
/** What stands right before the end of an element. */
const inside = (xml: string, end: string, more: string) => {
  const at = xml.lastIndexOf(end)
  return xml.slice(0, at) + more + xml.slice(at)
}
const END = '</saml:Assertion>'
const inSignature = (signature: string, more: string) =>
  inside(signature, /<\/(?:ds:)?Signature>$/.exec(signature)?.[0] ?? '', `<Object>${more}</Object>`)

type Names = { own: string; evil: string }

/** Of a response that is signed as a whole. */
export const responseWrappings: Record<string, (signed: string, names: Names) => string> = {
  XSW1(signed, { own, evil }) {
    const { signature, bare } = partsOf(signed, 'response')
    return inside(withId(named(bare, own, evil)), '</samlp:Response>', inSignature(signature, bare))
  },
  XSW2(signed, { own, evil }) {
    const { signature, bare } = partsOf(signed, 'response')
    return inside(withId(named(bare, own, evil)), '</samlp:Response>', bare + signature)
  },
}

/** Of a response whose assertion is signed. */
export const assertionWrappings: Record<string, (signed: string, names: Names) => string> = {
  XSW3(signed, { own, evil }) {
    const { element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, withId(named(bare, own, evil)) + element)
  },
  XSW4(signed, { own, evil }) {
    const { element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, inside(withId(named(bare, own, evil)), END, element))
  },
  XSW5(signed, { own, evil }) {
    const { signature, element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, inside(withId(named(bare, own, evil)), END, signature) + bare)
  },
  XSW6(signed, { own, evil }) {
    const { signature, element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, inside(withId(named(bare, own, evil)), END, inSignature(signature, bare)))
  },
  XSW7(signed, { own, evil }) {
    const { element, bare } = partsOf(signed, 'assertion')
    const put = `<samlp:Extensions>${withId(named(bare, own, evil))}</samlp:Extensions>`
    return signed.replace(element, put + element).replace(element, withId(named(element, own, evil)))
  },
  XSW8(signed, { own, evil }) {
    const { signature, element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, inside(withId(named(bare, own, evil)), END, inSignature(signature, element)))
  },
  'XSW7 by the order alone'(signed, { own, evil }) {
    const { element, bare } = partsOf(signed, 'assertion')
    return signed.replace(element, `<samlp:Extensions>${element}</samlp:Extensions>${withId(named(bare, own, evil))}`)
  },
}
