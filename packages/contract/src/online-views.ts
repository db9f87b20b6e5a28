import { z } from 'zod'
import { Cents, InvoiceKind } from './money.ts'
import { Day, Id, Instant } from './primitives.ts'

/** Cents below which no provider opens a payment. */
export const MIN_ONLINE_PAYMENT_CENTS = 50

/** local: the stand-in that comes with the product; test: the provider without money; live: with money. */
export const PaymentEnvironment = z.enum(['local', 'test', 'live'])
export type PaymentEnvironment = z.infer<typeof PaymentEnvironment>
export const OnlineMethod = z.enum(['card', 'debit'])
export type OnlineMethod = z.infer<typeof OnlineMethod>

/** Where an online payment stands: the provider's messages decide, the page one comes back to proves nothing. */
export const OnlineState = z.enum(['open', 'processing', 'paid', 'failed', 'expired', 'partly', 'refunded', 'disputed'])
export type OnlineState = z.infer<typeof OnlineState>

const Named = z.object({ id: Id, name: z.string() })

export const OnlineProvider = z.object({
  id: Id,
  owner: Named,
  environment: PaymentEnvironment,
  everyone: z.boolean(),
  card: z.boolean(),
  debit: z.boolean(),
  /** The end of the key. */
  hint: z.string(),
  account: z.string(),
  testedAt: Instant.nullable(),
  lastHeardAt: Instant.nullable(),
  /** Messages whose signature proved nothing. */
  refused: z.int(),
  refusedAt: Instant.nullable(),
  webhookUrl: z.string(),
  version: z.int(),
})
export type OnlineProvider = z.infer<typeof OnlineProvider>

export const OnlinePayment = z.object({
  id: Id,
  invoice: z.object({ id: Id, number: z.string() }),
  buyer: z.string(),
  method: OnlineMethod,
  state: OnlineState,
  amount: Cents,
  /** What of it stays with the seller: less what was paid back or taken back. */
  net: Cents,
  /** Where it goes on, as long as it is open. */
  url: z.string().nullable(),
  /** Why it was refused, in words; empty otherwise. */
  reason: z.string(),
  sandbox: z.boolean(),
  startedAt: Instant,
  updatedAt: Instant,
})
export type OnlinePayment = z.infer<typeof OnlinePayment>

export const OnlineCheckout = z.object({
  invoice: z.object({
    id: Id,
    number: z.string(),
    kind: InvoiceKind,
    seller: z.string(),
    buyer: z.string(),
    from: Day,
    to: Day,
    dueOn: Day,
    gross: Cents,
    open: Cents,
  }),
  methods: z.array(OnlineMethod),
  sandbox: z.boolean(),
  /** The attempt that is open or under way. */
  pending: OnlinePayment.nullable(),
  /** The last one that was refused. */
  failed: OnlinePayment.nullable(),
  /** Why nothing can be paid here, in words; empty where it can. */
  refusal: z.string(),
})
export type OnlineCheckout = z.infer<typeof OnlineCheckout>

export const UnmatchedNotice = z.object({
  id: Id,
  provider: z.string(),
  type: z.string(),
  /** What it says, in words. */
  about: z.string(),
  intent: z.string(),
  amount: Cents,
  at: Instant,
  receivedAt: Instant,
})
export type UnmatchedNotice = z.infer<typeof UnmatchedNotice>

export const TestPayment = z.object({ id: z.string(), url: z.string().nullable(), state: OnlineState, amount: Cents })
export type TestPayment = z.infer<typeof TestPayment>
