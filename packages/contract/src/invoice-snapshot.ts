import { z } from 'zod'
import { BuyerKind, Cents, EnergySource, FeePeriod, InvoiceKind, VatCategory, VatMode } from './money.ts'
import { Day, Id } from './primitives.ts'

const Address = z.object({
  address: z.string(),
  postalCode: z.string(),
  city: z.string(),
  /** ISO 3166. */
  country: z.string(),
})
const Identity = Address.extend({
  id: Id,
  name: z.string(),
  siren: z.string(),
  siret: z.string(),
  vatNumber: z.string(),
  email: z.string(),
  phone: z.string(),
})
/** Who sells, as printed; without a SIREN there is no XML. */
export const SnapshotSeller = Identity.extend({
  legalForm: z.string(),
  vatMode: VatMode,
  /** How to pay; empty where no account was given. */
  iban: z.string(),
  bic: z.string(),
  /** Of a public seller whose documents are paid at PayFiP: its number there. */
  payfip: z.string().optional(),
})
export const SnapshotBuyer = Identity.extend({
  kind: BuyerKind,
  jointHolders: z.array(z.string()),
  serviceCode: z.string(),
  engagement: z.string(),
  /** What the buyer does with it: mail, portal, chorus. */
  delivery: z.string(),
})

const Line = z.object({
  prm: z.string(),
  member: z.string(),
  from: Day,
  to: Day,
  rule: z.string(),
  /** What stands on the document: « Énergie locale, heures pleines, Toiture école ». */
  label: z.string(),
  liable: z.boolean(),
  net: Cents,
  category: VatCategory,
  rate: z.int(),
  /** On a correction: taken back as it was, or put as it is. */
  role: z.enum(['cancel', 'replace']).optional(),
})
const Index = z.object({
  value: z.string(),
  base: z.string(),
  fixedBp: z.int().optional(),
  floor: z.int().optional(),
  cap: z.int().optional(),
})
export const SnapshotLine = z.discriminatedUnion('kind', [
  Line.extend({
    kind: z.literal('energy'),
    wh: z.int(),
    price: z.int(),
    trace: z.object({ tariffFrom: Day, p0: z.int(), index: Index.nullable() }),
    source: EnergySource,
    wattMinutes: z.string(),
    units: z.int(),
  }),
  Line.extend({ kind: z.literal('accise'), wh: z.int(), centsPerMwh: z.int(), acciseClass: z.string() }),
  Line.extend({
    kind: z.literal('fee'),
    every: FeePeriod,
    amount: Cents,
    kva: z.number().nullable(),
    active: z.object({ from: Day, to: Day.nullable() }),
  }),
  /** The organiser's own price for its work: no member, no meter. */
  Line.extend({ kind: z.literal('service'), quantity: z.string(), unit: z.string(), price: z.string() }),
])
export type SnapshotLine = z.infer<typeof SnapshotLine>

export const SnapshotAllowance = z.object({
  id: z.string(),
  label: z.string(),
  amount: Cents,
  category: VatCategory,
  rate: z.int(),
  /** Absent on a correction, which takes the difference. */
  base: Cents.optional(),
  left: Cents.optional(),
  percentBp: z.int().nullable().optional(),
  asked: Cents.optional(),
  /** On a correction: what stood until then, and what each month's allowance is now; older ones do not say. */
  difference: z
    .object({
      before: Cents,
      now: z.array(z.object({ base: Cents, left: Cents, percentBp: z.int().nullable(), asked: Cents })),
    })
    .optional(),
})
const Vat = z.object({ category: VatCategory, rate: z.int(), base: Cents, tax: Cents })

/** A meter of the buyer in the month: what it drew, what of it was local, and what its supplier bills. */
const SnapshotPoint = z.object({
  prm: z.string(),
  label: z.string(),
  totalWh: z.int().nullable(),
  localWh: z.int(),
  source: EnergySource,
  /** Local energy by day of the period, whole watt-hours, for the picture. */
  days: z.array(z.object({ day: Day, localWh: z.int(), totalWh: z.int().nullable() })),
})

/** A debit that pays the document: who debits may be the organiser, who collects for the seller. */
const SnapshotDebit = z.object({
  creditor: z.string(),
  ics: z.string(),
  rum: z.string(),
  ibanEnd: z.string(),
  collectionOn: Day,
})

/**
 * A document as it is issued: all that is printed, in words and integers, and where each figure came from. PDF and XML are
 * made of it alone, at any time, and come out the same.
 */
export const InvoiceSnapshot = z.object({
  format: z.literal(1),
  kind: InvoiceKind,
  /** EN 16931: 380 an invoice, 381 a credit note; null for what is no invoice. */
  typeCode: z.union([z.literal(380), z.literal(381)]).nullable(),
  number: z.string(),
  issuedOn: Day,
  dueOn: Day,
  from: Day,
  /** The first day that is no longer meant. */
  to: Day,
  apart: z.boolean(),
  seller: SnapshotSeller,
  buyer: SnapshotBuyer,
  /** What it is for: an operation, or without an id what its name says, such as a subscription. */
  operation: z.object({
    id: Id.nullable(),
    name: z.string(),
    accNumber: z.string(),
    pmoName: z.string(),
    pmoSiren: z.string(),
  }),
  /** Under whose mandate it was made; null where the seller makes its own. */
  mandate: z.object({ id: Id, by: z.string(), signedOn: Day }).nullable(),
  lines: z.array(SnapshotLine),
  allowances: z.array(SnapshotAllowance),
  vat: z.array(Vat),
  totals: z.object({ lines: Cents, allowances: Cents, net: Cents, tax: Cents, gross: Cents }),
  points: z.array(SnapshotPoint),
  /** The document it corrects, and why. */
  corrects: z.object({ id: Id, number: z.string(), issuedOn: Day, reason: z.string() }).nullable(),
  /** Paid by itself: under which mandate, by whom and on which day; absent where the buyer pays. */
  debit: SnapshotDebit.optional(),
  /** The colour that the company had chosen on that day; absent where it had chosen none. */
  look: z.object({ colour: z.string().regex(/^#[0-9a-f]{6}$/i) }).optional(),
  /** Legal sentences, in the order in which they are printed, each under the name of its setting. */
  mentions: z.array(z.object({ name: z.string(), text: z.string() })),
  /** What it was computed from: ids and hashes. */
  sources: z.object({
    computation: z.string(),
    runs: z.array(z.object({ id: Id, kind: z.string(), from: Day, to: Day, resultHash: z.string() })),
    keys: z.array(z.object({ id: Id, number: z.int(), from: Day })),
    tariffs: z.array(z.object({ id: Id, number: z.int(), from: Day })),
    settings: z.array(z.object({ name: z.string(), from: Day, source: z.string() })),
  }),
})
export type InvoiceSnapshot = z.infer<typeof InvoiceSnapshot>
