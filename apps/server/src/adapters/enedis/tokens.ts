import type { EnedisToken } from './token.ts'

const MAX_TOKENS = 1000

/** One token per credential, shared by this process; a new one when the credential has changed. */
export function createEnedisTokenCache() {
  const tokens = new Map<string, { made: string; token: EnedisToken }>()
  return {
    of(id: string, made: string, create: () => EnedisToken): EnedisToken {
      const known = tokens.get(id)
      if (known?.made === made) return known.token
      const token = create()
      tokens.delete(id)
      tokens.set(id, { made, token })
      const [oldest] = tokens.keys()
      if (tokens.size > MAX_TOKENS && oldest) tokens.delete(oldest)
      return token
    },
  }
}
export type EnedisTokenCache = ReturnType<typeof createEnedisTokenCache>
