/** What a provider of online payments can be asked for, and what it tells. No card and no account passes through here. */
export type OnlineMethod = 'card' | 'debit'

export type PaymentOrder = {
  /** The attempt, as this product names it: it comes back with everything the provider tells of it. */
  reference: string
  amount: number
  method: OnlineMethod
  /** What the payer reads on the provider's page. */
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

/** Something that happened to a payment and stays true: a set of them says the same in whatever order it was filled. */
export type PaymentFact = {
  kind: PaymentFactKind
  /** The refund or the dispute it speaks of; empty where it speaks of the payment. */
  object: string
  /** Cents. */
  amount: number
  at: Date
  reason: string
}

/** One message of the provider, by its own id. */
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
  /** Whether the key opens an account, and whose. */
  check(): Promise<{ account: string; name: string }>
  /** Asks for messages at this address; they are signed with the secret that it answers. */
  listen(url: string): Promise<{ id: string; secret: string }>
  unlisten(id: string): Promise<void>
  createCheckout(order: PaymentOrder): Promise<PaymentCheckout>
  closeCheckout(id: string): Promise<void>
  /** All that is known of one checkout now, as if its messages had come. */
  fetch(checkout: string): Promise<PaymentNotice[]>
  /** The messages since then, whether they arrived or not. */
  since(at: Date): Promise<PaymentNotice[]>
  /** `key`: the same order given twice pays back once. */
  refund(order: { intent: string; amount: number; key: string }): Promise<void>
}
