import type { Config } from '../../config.ts'

export type PaymentEnvironment = 'local' | 'test' | 'live'
/** Which host is called in each environment: configured by the operator, never entered by a user. */
export type PaymentHosts = Record<PaymentEnvironment, string | null>

const trimTrailingSlash = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may be set later: it is filled in once the simulator has started, and never in production. */
export const getPaymentHosts = (config: Config): PaymentHosts => ({
  local: config.production ? null : trimTrailingSlash(config.PAYMENT_SANDBOX_URL),
  test: trimTrailingSlash(config.STRIPE_HOST),
  live: config.production ? trimTrailingSlash(config.STRIPE_HOST) : null,
})
