import { throwSsoRefusal } from './faults.ts'

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
export function decodeSamlResponse(encoded: string): string {
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
export function parseRootElement(xml: string): { name: string; attributes: Record<string, string> } {
  const [, name = '', written = ''] = ROOT_PATTERN.exec(xml) ?? []
  const attributes: Record<string, string> = {}
  for (const [, key = '', double, single] of written.matchAll(ATTRIBUTE_PATTERN)) {
    if (key in attributes) throwSsoRefusal('unreadable', 'La réponse SAML répète un attribut.')
    attributes[key] = double ?? single ?? ''
  }
  return { name, attributes }
}
