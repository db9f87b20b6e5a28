import type { Config } from '../../config.ts'

export type EnedisHosts = Record<'local' | 'sandbox' | 'production', string | null>

const bare = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may come later: it is filled in when the stand-in has started. */
export const hostsOf = (config: Config): EnedisHosts => ({
  local: bare(config.ENEDIS_SANDBOX_URL),
  sandbox: bare(config.ENEDIS_SANDBOX_HOST),
  production: bare(config.ENEDIS_PRODUCTION_HOST),
})
