import { CopyButton } from '../copy-button.tsx'

/** On the ink of a code panel; each at least 4.5:1. */
const tokenClasses: Record<TokenKind, string | undefined> = {
  comment: 'text-slate-400',
  string: 'text-[#fcd34d]',
  key: 'text-[#93c5fd]',
  number: 'text-[#5eead4]',
  word: 'text-[#c4b5fd]',
  plain: undefined,
}

/** Coloured where it is drawn, on the server too: nothing is loaded for it. */
export const HighlightedCode = ({ code, language }: { code: string; language: string }) =>
  tokenize(code, language).map(({ kind, text }, index) =>
    kind === 'plain' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <span key={index} className={tokenClasses[kind]}>
        {text}
      </span>
    ),
  )

type Props = { code: string; language: string; label: string; copy?: string }

/** Something to be taken along: a sample, a key, a body. */
export const CodePanel = ({ code, language, label, copy = 'Copier' }: Props) => (
  <div className="grid gap-2 [&>*]:min-w-0">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="text-body font-medium">{label}</p>
      <CopyButton text={code} label={copy} />
    </div>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-card bg-ink p-4 text-[0.8125rem] leading-relaxed text-slate-100"
    >
      <HighlightedCode code={code} language={language} />
    </pre>
  </div>
)

type TokenKind = 'comment' | 'string' | 'key' | 'number' | 'word' | 'plain'
type Token = { kind: TokenKind; text: string }

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
