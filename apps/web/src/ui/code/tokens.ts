export type TokenKind = 'comment' | 'string' | 'key' | 'number' | 'word' | 'plain'
export type Token = { kind: TokenKind; text: string }

const KEYWORDS =
  'as|async|await|break|class|const|continue|def|else|export|extends|False|false|finally|for|from|function|if|import|in|interface|let|new|None|not|null|or|and|raise|return|throw|True|true|try|except|type|undefined|while|with|curl|select|where|insert|update|delete|into|values'

/** What is recognised, in this order; everything between is plain. A string that a colon follows names something. */
const TOKEN_PATTERN = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<![\w&$"'])#[^\n]*)`,
    String.raw`(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`(?<number>(?<![\w.])-?\d+(?:[.,]\d+)?(?![\w]))`,
    String.raw`(?<word>(?<![\w$-])(?:${KEYWORDS})(?![\w$-]))`,
  ].join('|'),
  'g',
)

/** Prose and text that no language was named for stay as they are. */
const PLAIN_LANGUAGES = new Set(['', 'text', 'texte', 'csv'])

/** A text of code cut into what colours it: a few common languages are enough, and none of them is parsed. */
export function tokenize(code: string, language: string): Token[] {
  if (PLAIN_LANGUAGES.has(language)) return [{ kind: 'plain', text: code }]
  const tokens: Token[] = []
  let from = 0
  for (const match of code.matchAll(TOKEN_PATTERN)) {
    if (match.index > from) tokens.push({ kind: 'plain', text: code.slice(from, match.index) })
    const [kind = 'plain'] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? []
    tokens.push({ kind: kind as TokenKind, text: match[0] }) // the groups bear the names of the kinds
    from = match.index + match[0].length
  }
  if (from < code.length) tokens.push({ kind: 'plain', text: code.slice(from) })
  return tokens
}
