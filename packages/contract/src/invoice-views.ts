import { z } from 'zod'
import { InvoiceSnapshot } from './invoice-snapshot.ts'
import { Cents, InvoiceKind } from './money.ts'
import { Day, Id, Instant } from './primitives.ts'

/** due: to be paid later; overdue; settled: nothing is left of it; credit: left to the buyer; told: owes nothing. */
export const InvoiceState = z.enum(['due', 'overdue', 'settled', 'credit', 'told'])
export type InvoiceState = z.infer<typeof InvoiceState>
export const Channel = z.enum(['mail', 'portal', 'chorus', 'pa'])
export type Channel = z.infer<typeof Channel>
/** On Chorus Pro or a platform: deposited, made available to the buyer, rejected, paid as the buyer says. */
export const DeliveryState = z.enum(['waiting', 'sent', 'failed', 'deposited', 'available', 'rejected', 'paid'])
export type DeliveryState = z.infer<typeof DeliveryState>
export const DELIVERY_STATE_LABELS: Record<DeliveryState, string> = {
  waiting: 'En attente',
  sent: 'Remis',
  failed: 'Échec',
  deposited: 'Déposé',
  available: 'Mis à disposition',
  rejected: 'Rejeté',
  paid: 'Mis en paiement',
}

/** What one learns of a document that somebody else carries. */
const TrackedChannel = z.enum(['chorus', 'pa'])
export const TrackedState = z.enum(['deposited', 'available', 'rejected', 'paid'])
export type TrackedState = z.infer<typeof TrackedState>
export const DeliveryReport = z
  .strictObject({ channel: TrackedChannel, state: TrackedState, detail: z.string().trim().max(500).default('') })
  .refine(({ state, detail }) => state !== 'rejected' || detail.length >= 3, {
    path: ['detail'],
    message: 'Dites pourquoi le document est rejeté, par exemple «\u00a0numéro d’engagement inconnu\u00a0».',
  })

export const InvoiceRow = z.object({
  id: Id,
  number: z.string(),
  kind: InvoiceKind,
  /** Without an id where it is for no operation, such as a subscription. */
  operation: z.object({ id: Id.nullable(), name: z.string() }),
  seller: z.object({ id: Id, name: z.string() }),
  buyer: z.object({ id: Id, name: z.string() }),
  issuedOn: Day,
  dueOn: Day,
  from: Day,
  to: Day,
  /** Watt-hours. */
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  /** What is left to be paid; of a credit note, what is left to the buyer. */
  open: Cents,
  state: InvoiceState,
  delivery: z.object({ channel: z.string(), state: z.string() }).nullable(),
})
export type InvoiceRow = z.infer<typeof InvoiceRow>

/** What is open by how long it has been due: not yet, up to 30 days, up to 60, longer. */
export const Ageing = z.object({ notDue: Cents, upTo30: Cents, upTo60: Cents, over60: Cents })
export type Ageing = z.infer<typeof Ageing>

/** Of all that was asked for, credit notes taken away. */
export const InvoiceTotals = z.object({
  documents: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  open: Cents,
  overdue: Cents,
  /** Credit notes that no invoice has taken. */
  credit: Cents,
  ageing: Ageing,
})
export type InvoiceTotals = z.infer<typeof InvoiceTotals>

export const Delivery = z.object({
  id: Id,
  channel: z.string(),
  state: z.string(),
  detail: z.string(),
  by: z.string(),
  at: Instant,
})
export type Delivery = z.infer<typeof Delivery>

export const InvoiceDetail = z.object({
  id: Id,
  snapshot: InvoiceSnapshot,
  open: Cents,
  state: InvoiceState,
  hash: z.string(),
  previousHash: z.string(),
  position: z.int(),
  hasXml: z.boolean(),
  /** The cover of what the same buyer was sent with it by other sellers; null where one seller is all. */
  notice: z.object({ documents: z.int(), sellers: z.int(), gross: Cents, open: Cents }).nullable(),
  /** Whether it can be sent through an approved platform. */
  platform: z.boolean().optional(),
  /** Documents that correct it, in their order. */
  corrections: z.array(z.object({ id: Id, number: z.string(), kind: InvoiceKind, gross: Cents, issuedOn: Day })),
  deliveries: z.array(Delivery),
  /** What happened to it, the last first. */
  history: z.array(z.object({ at: Instant, text: z.string(), by: z.string() })),
})
export type InvoiceDetail = z.infer<typeof InvoiceDetail>

/** One operation on the way to an amount. */
export const RecomputedStep = z.object({
  formula: z.string(),
  inputs: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  /** Before any rounding: « 617/50 ». */
  exact: z.string(),
  result: z.int(),
})
export type RecomputedStep = z.infer<typeof RecomputedStep>
export const RecomputedPart = z.object({
  part: z.enum(['line', 'allowance', 'vat', 'total']),
  label: z.string(),
  /** As it stands on the document. */
  printed: Cents,
  steps: z.array(RecomputedStep),
  /** Null where the document holds a difference, which only the documents before it can tell. */
  same: z.boolean().nullable(),
})
export type RecomputedPart = z.infer<typeof RecomputedPart>

export const LineDay = z.object({
  day: Day,
  /** Whose roof, and in which hours of the tariff. */
  producer: z.string(),
  timeClass: z.string(),
  /** Exact, as a fraction. */
  wattMinutes: z.string(),
  /** Parts of the line's own figures, by largest remainder: all days sum to them. */
  wh: z.int(),
  /** 1/10 000 €. */
  amount: z.int(),
})
export type LineDay = z.infer<typeof LineDay>

/** A step of a day of a line: what the meter drew, and what of it the line bills. */
export const LineStep = z.object({
  start: Instant,
  timeClass: z.string(),
  /** Null where the reading is not known any more. */
  drawnWh: z.int().nullable(),
  wh: z.int(),
  /** 1/10 000 €. */
  amount: z.int(),
  producers: z.array(z.string()),
})
export type LineStep = z.infer<typeof LineStep>

/** What documents come to, credit notes taken away; a statement tells energy and no money. */
export const BilledTotals = z.object({ documents: z.int(), wh: z.int(), net: Cents, tax: Cents, gross: Cents })
export type BilledTotals = z.infer<typeof BilledTotals>

export const Account = z.object({
  buyer: z.object({ id: Id, name: z.string() }),
  documents: z.int(),
  /** With tax, credit notes taken away. */
  billed: Cents,
  open: Cents,
  overdue: Cents,
  credit: Cents,
  lastOn: Day,
})
export type Account = z.infer<typeof Account>

/** A month of a buyer's year: what was supplied in it, with the documents that say so. */
export const AnnualMonth = z.object({
  month: Day,
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  documents: z.array(z.object({ id: Id, number: z.string(), kind: InvoiceKind, seller: z.string(), gross: Cents })),
})
export type AnnualMonth = z.infer<typeof AnnualMonth>
