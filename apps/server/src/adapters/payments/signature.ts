import Stripe from 'stripe'
import { ForgedNotice } from './faults.ts'
import { toPaymentNotice } from './notices.ts'
import type { PaymentNotice } from './types.ts'

/** A message replayed later than five minutes is refused. */
const TOLERANCE_S = 300
const crypto = Stripe.createNodeCryptoProvider()

/** The content of a message whose signature, computed over its exact bytes, is valid. */
export function verifyPaymentNotice(body: Uint8Array, signature: string, secret: string): PaymentNotice {
  const text = Buffer.from(body).toString('utf8')
  let event: unknown
  try {
    event = Stripe.webhooks.constructEvent(text, signature, secret, TOLERANCE_S, crypto)
  } catch (error) {
    throw new ForgedNotice('the signature does not prove this message', { cause: error })
  }
  return toPaymentNotice(event)
}
