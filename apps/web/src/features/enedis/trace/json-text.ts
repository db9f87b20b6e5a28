export type JsonToken = { kind: 'key' | 'text' | 'number' | 'word' | 'plain'; text: string }

/** Indented where it is JSON; as it came otherwise. */
export function formatJson(body: string): { text: string; isJson: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(body), null, 2), isJson: true }
  } catch {
    return { text: body, isJson: false }
  }
}

const TOKEN_PATTERN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

function* generateTokens(text: string): Generator<JsonToken> {
  let end = 0
  for (const found of text.matchAll(TOKEN_PATTERN)) {
    const [whole, quoted, colon, word] = found
    if (found.index > end) yield { kind: 'plain', text: text.slice(end, found.index) }
    yield { kind: quoted ? (colon ? 'key' : 'text') : word ? 'word' : 'number', text: quoted ?? whole }
    if (colon) yield { kind: 'plain', text: colon }
    end = found.index + whole.length
  }
  if (end < text.length) yield { kind: 'plain', text: text.slice(end) }
}

/** The words of a JSON text, in order: put together they are the text again. */
export const tokenizeJson = (text: string): JsonToken[] => [...generateTokens(text)]

/** What fits on a screen, ended at a line. */
export function truncateAtLine(text: string, most: number): { shown: string; left: number } {
  if (text.length <= most) return { shown: text, left: 0 }
  const line = text.lastIndexOf('\n', most)
  const shown = text.slice(0, line > most / 2 ? line : most)
  return { shown, left: text.length - shown.length }
}
