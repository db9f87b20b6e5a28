/** Comments, quoted names, and strings in each syntax of PostgreSQL, whichever begins first. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\be'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]*)\$[\s\S]*?\$\1\$/gi
const MAX_STATEMENT_LENGTH = 2000

const maskPart = (part: string) => {
  if (part.startsWith('"')) return part
  return part.startsWith('--') || part.startsWith('/*') ? ' ' : "'?'"
}

/** The statement without its values: parameters are separate, and literals are masked. */
export const maskStatement = (text: string): string =>
  text
    .replace(PARTS, maskPart)
    .replace(/(?<![\w$.])\d{5,}\b/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_STATEMENT_LENGTH)
