import type { Config } from '../../config.ts'

export type PaymentEnvironment = 'local' | 'test' | 'live'
/** Which machine is called in each: the operator decides, nothing that a person enters. */
export type PaymentHosts = Record<PaymentEnvironment, string | null>

const trimTrailingSlash = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may come later: it is filled in when the stand-in has started, and never in production. */
export const getPaymentHosts = (config: Config): PaymentHosts => ({
  local: config.production ? null : trimTrailingSlash(config.PAYMENT_SANDBOX_URL),
  test: trimTrailingSlash(config.STRIPE_HOST),
  live: config.production ? trimTrailingSlash(config.STRIPE_HOST) : null,
})
