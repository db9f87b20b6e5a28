/** What a provider of online payments can do and notify. No card or account number passes through here. */
export type OnlineMethod = 'card' | 'debit'

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
