/** What ISO-8859-15 writes otherwise than ISO-8859-1. */
const LATIN9_CODES: Record<string, number> = {
  '€': 0xa4,
  Š: 0xa6,
  š: 0xa8,
  Ž: 0xb4,
  ž: 0xb8,
  Œ: 0xbc,
  œ: 0xbd,
  Ÿ: 0xbe,
}
/** What it cannot write and has a plain form. */
const PLAIN_FORMS: Record<string, string> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '\u202f': '\u00a0',
}
const REPLACED_CODES = new Set([0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe])

/** A text in ISO-8859-15: a letter that it lacks loses its accents, and what is left is a question mark. */
export function encodeLatin9(text: string): Buffer {
  const bytes: number[] = []
  const put = (character: string, again: boolean): void => {
    const code = character.codePointAt(0) ?? 0x3f
    const own = LATIN9_CODES[character]
    if (own !== undefined) bytes.push(own)
    else if (code < 0x100 && !REPLACED_CODES.has(code)) bytes.push(code)
    else if (PLAIN_FORMS[character] !== undefined) for (const plain of PLAIN_FORMS[character]) put(plain, false)
    else if (again) put(character.normalize('NFD').charAt(0), false)
    else bytes.push(0x3f)
  }
  for (const character of text) put(character, true)
  return Buffer.from(bytes)
}
