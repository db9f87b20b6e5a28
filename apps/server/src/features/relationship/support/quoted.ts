/** Stands in every mail that may be answered: all that comes below it was ours. */
export const REPLY_ABOVE = '— Répondez au-dessus de cette ligne —'

/** How mail programs begin what they quote. */
const QUOTE_PATTERNS = [
  /^\s*>?\s*—\s*Répondez au-dessus de cette ligne\s*—/,
  /^\s*Le\s.{4,120}\s(?:a écrit|écrit)\s*:\s*$/i,
  /^\s*On\s.{4,120}\swrote:\s*$/i,
  /^\s*-{2,}\s*(?:Message d’origine|Message d'origine|Message original|Original Message|Message transféré)\s*-{2,}/i,
  /^\s*_{10,}\s*$/,
  /^\s*(?:De|From)\s*:\s.*@.*$/i,
]
const SIGNATURE_PATTERN = /^-- ?$/

/** A long one is cut in two by the program that wrote it. */
const isQuote = (line: string, next: string) =>
  QUOTE_PATTERNS.some((quote) => quote.test(line)) ||
  (/^\s*(?:Le|On)\s/.test(line) && QUOTE_PATTERNS.some((quote) => quote.test(`${line} ${next}`)))

/** What was written, without what it answers nor the signature below it; where nothing else is left, all of it. */
export function removeQuotedText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const end = lines.findIndex((line, at) => isQuote(line, lines[at + 1] ?? '') || SIGNATURE_PATTERN.test(line))
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !/^\s*>/.test(line))
  return own.join('\n').trim() || text.trim()
}
