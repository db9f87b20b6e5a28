import { type TokenKind, tokenize } from './tokens.ts'

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
