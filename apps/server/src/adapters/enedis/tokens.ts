import type { Token } from './token.ts'

const MOST = 1000

/** One token per credential, shared by all that this process does with it; made anew when what it is for has changed. */
export function createTokens() {
  const tokens = new Map<string, { made: string; token: Token }>()
  return {
    of(id: string, made: string, create: () => Token): Token {
      const known = tokens.get(id)
      if (known?.made === made) return known.token
      const token = create()
      tokens.delete(id)
      tokens.set(id, { made, token })
      const [oldest] = tokens.keys()
      if (tokens.size > MOST && oldest) tokens.delete(oldest)
      return token
    },
  }
}
export type Tokens = ReturnType<typeof createTokens>
