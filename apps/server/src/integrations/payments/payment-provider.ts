import type { Config } from '../../config.ts'

/** What a provider of online payments can do and notify. No card or account number passes through here. */
type OnlineMethod = 'card' | 'debit'

export type PaymentOrder = {
  /** Our id of the attempt, returned with every message about it. */
  reference: string
  amount: number
  method: OnlineMethod
  /** The label on the payment page. */
  label: string
  email: string
  successUrl: string
  cancelUrl: string
}
export type PaymentCheckout = { id: string; url: string; expiresAt: Date }

export const PAYMENT_FACTS = [
  ...(['completed', 'processing', 'paid', 'failed', 'expired'] as const),
  ...(['refunded', 'refundFailed', 'withdrawn', 'reinstated'] as const),
] as const
export type PaymentFactKind = (typeof PAYMENT_FACTS)[number]

/** A permanent fact about a payment: the resulting state does not depend on the order in which facts arrive. */
export type PaymentFact = {
  kind: PaymentFactKind
  /** The id of the refund or dispute; empty for the payment itself. */
  object: string
  /** Cents. */
  amount: number
  at: Date
  reason: string
}

/** One message of the provider, identified by its own id. */
export type PaymentNotice = {
  id: string
  type: string
  at: Date
  checkout: string
  intent: string
  reference: string
  fact: PaymentFact | null
}

export type OnlineProvider = {
  /** Checks the key and returns its account. */
  check(): Promise<{ account: string; name: string }>
  /** Registers a webhook at this address and returns the secret that signs its messages. */
  listen(url: string): Promise<{ id: string; secret: string }>
  unlisten(id: string): Promise<void>
  createCheckout(order: PaymentOrder): Promise<PaymentCheckout>
  closeCheckout(id: string): Promise<void>
  /** The present state of one checkout, in the form of messages. */
  fetch(checkout: string): Promise<PaymentNotice[]>
  /** All messages since then, delivered or not. */
  since(at: Date): Promise<PaymentNotice[]>
  /** `key`: an idempotency key, so that the same order refunds once. */
  refund(order: { intent: string; amount: number; key: string }): Promise<void>
}

/** auth: the key is not accepted; refused: permanently; away: unknown, try again. */
type PaymentNature = 'auth' | 'refused' | 'away'

export class PaymentError extends Error {
  readonly nature: PaymentNature
  /** The provider's own message, only for the log. */
  readonly said: string
  constructor(nature: PaymentNature, message: string, said = '') {
    super(message)
    this.nature = nature
    this.said = said
  }
}

/** A message with an invalid signature. */
export class ForgedNotice extends Error {}

const PROVIDER_UNAVAILABLE =
  'Le prestataire de paiement ne répond pas. Rien n’a été débité\u00a0: réessayez dans un instant.'
const KEY_REFUSED =
  'Le prestataire de paiement refuse la clé enregistrée. Remplacez-la dans les réglages du paiement en ligne.'

type ThrownDetails = { type?: unknown; statusCode?: unknown; message?: unknown }

/** Any error of the library, as one of the three kinds with a French sentence. */
export function toPaymentError(error: unknown): PaymentError {
  if (error instanceof PaymentError) return error
  const { type, statusCode, message } = (error ?? {}) as ThrownDetails // anything may be thrown
  const said = typeof message === 'string' ? message : String(error)
  if (statusCode === 401 || statusCode === 403) return new PaymentError('auth', KEY_REFUSED, said)
  const refused = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && statusCode !== 429
  if (refused && type !== 'StripeRateLimitError')
    return new PaymentError('refused', `Le prestataire de paiement refuse cette demande\u00a0: ${said}`, said)
  return new PaymentError('away', PROVIDER_UNAVAILABLE, said)
}

type PaymentEnvironment = 'local' | 'test' | 'live'
/** Which host is called in each environment: configured by the operator, never entered by a user. */
export type PaymentHosts = Record<PaymentEnvironment, string | null>

const trimTrailingSlash = (url: string | undefined) => url?.replace(/\/+$/, '') ?? null

/** `local` may be set later: it is filled in once the simulator has started, and never in production. */
export const getPaymentHosts = (config: Config): PaymentHosts => ({
  local: config.production ? null : trimTrailingSlash(config.PAYMENT_SANDBOX_URL),
  test: trimTrailingSlash(config.STRIPE_HOST),
  live: config.production ? trimTrailingSlash(config.STRIPE_HOST) : null,
})
