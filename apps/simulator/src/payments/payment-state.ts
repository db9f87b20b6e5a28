import { z } from 'zod'

const Seconds = z.int()
export const CheckoutSession = z.object({
  id: z.string(),
  account: z.string(),
  intent: z.string().nullable(),
  reference: z.string(),
  metadata: z.record(z.string(), z.string()),
  amount: z.int(),
  method: z.enum(['card', 'sepa_debit']),
  label: z.string(),
  email: z.string(),
  successUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  created: Seconds,
  expires: Seconds,
})
export const Intent = z.object({
  id: z.string(),
  account: z.string(),
  amount: z.int(),
  status: z.enum(['requires_payment_method', 'processing', 'succeeded', 'canceled']),
  method: z.enum(['card', 'sepa_debit']),
  metadata: z.record(z.string(), z.string()),
  /** Why the last attempt was refused. */
  error: z.string().nullable(),
  created: Seconds,
  /** When a pending debit is decided, and how. */
  settles: z.object({ at: Seconds, paid: z.boolean() }).nullable(),
})
export const Refund = z.object({
  id: z.string(),
  intent: z.string(),
  amount: z.int(),
  status: z.enum(['succeeded', 'failed']),
  created: Seconds,
})
export const Dispute = z.object({
  id: z.string(),
  intent: z.string(),
  amount: z.int(),
  status: z.enum(['needs_response', 'won', 'lost']),
  reason: z.string(),
  created: Seconds,
})
export const SimulatedHook = z.object({
  id: z.string(),
  account: z.string(),
  url: z.string(),
  secret: z.string(),
  types: z.array(z.string()),
})
/** An event keeps its object as of the time it happened. */
export const SimulatedPaymentEvent = z.object({
  id: z.string(),
  account: z.string(),
  type: z.string(),
  created: Seconds,
  object: z.record(z.string(), z.unknown()),
})
export const HookDelivery = z.object({ hook: z.string(), event: z.string(), forged: z.boolean(), tries: z.int() })
/** Faults in the delivery of messages. */
export const PaymentTroubles = z.strictObject({
  /** Messages are held until released. */
  hold: z.boolean().default(false),
  /** Every message is sent twice. */
  twice: z.boolean().default(false),
  /** Each message is followed by a forged one. */
  forged: z.boolean().default(false),
})
/** The persistent state. It contains no card or account number. */
export const PaymentSimulatorState = z.object({
  ahead: z.number().default(0),
  sessions: z.array(CheckoutSession).default([]),
  intents: z.array(Intent).default([]),
  refunds: z.array(Refund).default([]),
  disputes: z.array(Dispute).default([]),
  hooks: z.array(SimulatedHook).default([]),
  events: z.array(SimulatedPaymentEvent).default([]),
  waiting: z.array(HookDelivery).default([]),
  answers: z.record(z.string(), z.string()).default({}),
  troubles: PaymentTroubles.default({ hold: false, twice: false, forged: false }),
})
export type PaymentSimulatorState = z.output<typeof PaymentSimulatorState>
export type CheckoutSession = z.output<typeof CheckoutSession>
export type Intent = z.output<typeof Intent>
export type Refund = z.output<typeof Refund>
export type Dispute = z.output<typeof Dispute>
export type SimulatedHook = z.output<typeof SimulatedHook>
export type SimulatedPaymentEvent = z.output<typeof SimulatedPaymentEvent>
export type HookDelivery = z.output<typeof HookDelivery>

export type FormFields = Map<string, string>

/** `line_items[0][price_data][unit_amount]` is kept as a flat name with its brackets. */
export const parseForm = (text: string): FormFields => new Map(new URLSearchParams(text))
