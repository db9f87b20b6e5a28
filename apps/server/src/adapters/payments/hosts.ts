import type { Config } from '../../config.ts'

export type PaymentEnvironment = 'local' | 'test' | 'live'
/** Which machine is called in each: the operator decides, nothing that a person enters. */
export type PaymentHosts = Record<PaymentEnvironment, string | null>

const bare = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may come later: it is filled in when the stand-in has started, and never in production. */
export const paymentHostsOf = (config: Config): PaymentHosts => ({
  local: config.production ? null : bare(config.PAYMENT_SANDBOX_URL),
  test: bare(config.STRIPE_HOST),
  live: config.production ? bare(config.STRIPE_HOST) : null,
})
