import type { Config } from '../../config.ts'

export type EnedisHosts = Record<'local' | 'sandbox' | 'production', string | null>

const trimTrailingSlash = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may be set later: it is filled in once the simulator has started. */
export const getEnedisHosts = (config: Config): EnedisHosts => ({
  local: trimTrailingSlash(config.ENEDIS_SANDBOX_URL),
  sandbox: trimTrailingSlash(config.ENEDIS_SANDBOX_HOST),
  production: trimTrailingSlash(config.ENEDIS_PRODUCTION_HOST),
})
