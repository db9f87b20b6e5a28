import { Lexer, type Token, Tokenizer } from 'marked'

export const MAX_PROSE_DEPTH = 12

/** Nested elements: beyond the depth limit their marks are plain text, so that no text can exhaust the stack. */
const BLOCKS = ['blockquote', 'list'] as const
const INLINES = ['emStrong', 'del', 'link', 'reflink'] as const
type Nesting = (typeof BLOCKS)[number] | (typeof INLINES)[number]

function createDepthLimitedTokenizer(): Tokenizer {
  const tokenizer = new Tokenizer()
  let depth = 0
  const limit = (name: Nesting) => {
    const original = tokenizer[name] as (...args: unknown[]) => Token | undefined // each is called with its own arguments
    const bounded = (...args: unknown[]) => {
      if (depth >= MAX_PROSE_DEPTH) return undefined
      depth++
      try {
        return original.apply(tokenizer, args)
      } finally {
        depth--
      }
    }
    Object.assign(tokenizer, { [name]: bounded })
  }
  for (const name of [...BLOCKS, ...INLINES]) limit(name)
  return tokenizer
}

/** One lexer per text: pieces lexed one after the other share the link definitions found so far. */
export function createLexer() {
  const lexer = new Lexer({ gfm: true, tokenizer: createDepthLimitedTokenizer() })
  return {
    blocks: (text: string): Token[] => lexer.blockTokens(text, []),
    inlines: (text: string): Token[] => lexer.inlineTokens(text, []),
    /** Completes the tokens returned so far, once all definitions are known. */
    finish() {
      for (const { src, tokens } of lexer.inlineQueue.splice(0)) lexer.inlineTokens(src, tokens)
    },
  }
}
export type ProseLexer = ReturnType<typeof createLexer>
