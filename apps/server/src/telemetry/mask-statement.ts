/** Comments, names in quotes, and texts in each of the ways that PostgreSQL reads them, whichever begins first. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\be'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]*)\$[\s\S]*?\$\1\$/gi
const MAX_STATEMENT_LENGTH = 2000

const maskPart = (part: string) => {
  if (part.startsWith('"')) return part
  return part.startsWith('--') || part.startsWith('/*') ? ' ' : "'?'"
}

/** The shape of a statement: what it asks, and of no one in particular. Values go beside it, and those written into it are hidden. */
export const maskStatement = (text: string): string =>
  text
    .replace(PARTS, maskPart)
    .replace(/(?<![\w$.])\d{5,}\b/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_STATEMENT_LENGTH)
