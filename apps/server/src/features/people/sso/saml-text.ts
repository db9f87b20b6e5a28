import { refuse } from './faults.ts'

const MOST_BYTES = 256_000
const ROOT = /^\s*(?:<\?xml[^<>]*\?>)?\s*<(?:[\w.-]+:)?(\w+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*>/
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/** Parsers disagree about these, and a response needs none of them: what holds one is not looked at further. */
const FORBIDDEN: [RegExp, string, string][] = [
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
export function readResponseText(encoded: string): string {
  if (!encoded || encoded.length > MOST_BYTES || !/^[A-Za-z0-9+/=\s]+$/.test(encoded))
    return refuse('unreadable', 'La réponse SAML est absente, trop longue, ou n’est pas en base64.')
  const xml = decoded(encoded)
  for (const [pattern, code, sentence] of FORBIDDEN) if (pattern.test(xml)) refuse(code, sentence)
  return xml
}

function decoded(encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    return refuse('unreadable', 'La réponse SAML n’est pas un texte en UTF-8.')
  }
}

/** What the outermost element says of itself. */
export function rootOf(xml: string): { name: string; attributes: Record<string, string> } {
  const [, name = '', written = ''] = ROOT.exec(xml) ?? []
  const attributes: Record<string, string> = {}
  for (const [, key = '', double, single] of written.matchAll(ATTRIBUTE)) {
    if (key in attributes) refuse('unreadable', 'La réponse SAML répète un attribut.')
    attributes[key] = double ?? single ?? ''
  }
  return { name, attributes }
}
