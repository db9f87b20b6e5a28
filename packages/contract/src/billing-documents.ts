import { z } from 'zod'
import { SnapshotAllowance, SnapshotLine } from './invoice-snapshot.ts'
import { Cents, VatCategory } from './money.ts'
import { Day, Id } from './primitives.ts'

/** Cents before tax that each cause explains of the change since the month before; they sum to the difference. */
export const MonthDifference = z.object({
  days: Cents,
  sun: Cents,
  use: Cents,
  key: Cents,
  price: Cents,
  /** Fees, accise, allowances. */
  other: Cents,
})
export type MonthDifference = z.infer<typeof MonthDifference>

const Party = z.object({ id: z.string(), name: z.string() })
/** A document as it would be issued, before it has a number. */
export const DraftDocument = z.object({
  seller: Party,
  buyer: Party,
  kind: z.enum(['invoice', 'statement']),
  apart: z.boolean(),
  lines: z.int(),
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
  /** Net of the month before, and why it differs; null where that month is not known. */
  before: Cents.nullable(),
  difference: MonthDifference.nullable(),
})
export type DraftDocument = z.infer<typeof DraftDocument>

/** The issued amounts of a document, corrections included. */
export const IssuedAmount = z.object({
  seller: Party,
  buyer: Party,
  apart: z.boolean(),
  wh: z.int(),
  net: Cents,
  gross: Cents,
})
export type IssuedAmount = z.infer<typeof IssuedAmount>

export const MonthTotals = z.object({
  documents: z.int(),
  members: z.int(),
  wh: z.int(),
  net: Cents,
  tax: Cents,
  gross: Cents,
})
export type MonthTotals = z.infer<typeof MonthTotals>

/**
 * Control sums shown to the user: lines equal members, members equal the operation, and distributor figures are shown
 * beside ours.
 */
export const MonthSums = z.object({
  linesWh: z.int(),
  membersWh: z.int(),
  operationWh: z.int(),
  /** For meters billed by the distributor's quantities: those, and our own figures. */
  distributorWh: z.int(),
  oursForThemWh: z.int(),
  /** For the other meters, by our own runs. */
  oursWh: z.int(),
})
export type MonthSums = z.infer<typeof MonthSums>

export const MonthPreview = z.object({
  month: z.string(),
  /** A dry run: nothing was stored. */
  rehearsal: z.boolean(),
  documents: z.array(DraftDocument),
  totals: MonthTotals,
  /** Of the month before; null where it could not be computed. */
  before: MonthTotals.nullable(),
  difference: MonthDifference.nullable(),
  sums: MonthSums,
})
export type MonthPreview = z.infer<typeof MonthPreview>

/** One step of the calculation of an amount; the last one is the amount. */
const FormulaStep = z.object({
  formula: z.enum([
    'units',
    'indexedPrice',
    'energy',
    'accise',
    'feeUpTo',
    'feeBefore',
    'fee',
    'percent',
    'fixed',
    'capped',
    'vat',
  ]),
  inputs: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  exact: z.string(),
  result: z.number(),
})
/** Exact energy of a day of a line, possibly as a fraction of watt-minutes. */
const DraftLineDay = z.object({ producer: z.string(), class: z.string(), day: Day, wattMinutes: z.string() })

export const OpenDocument = z.object({
  seller: Party,
  buyer: Party,
  kind: z.enum(['invoice', 'statement']),
  lines: z.array(z.object({ line: SnapshotLine, steps: z.array(FormulaStep), days: z.array(DraftLineDay) })),
  allowances: z.array(z.object({ allowance: SnapshotAllowance, steps: z.array(FormulaStep) })),
  vat: z.array(
    z.object({ category: VatCategory, rate: z.int(), base: Cents, tax: Cents, steps: z.array(FormulaStep) }),
  ),
  totals: z.object({ lines: Cents, allowances: Cents, net: Cents, tax: Cents, gross: Cents }),
})
export type OpenDocument = z.infer<typeof OpenDocument>

export const SimulatedMember = z.object({
  id: Id,
  prm: z.string(),
  name: z.string(),
  wh: z.int(),
  net: Cents,
  gross: Cents,
  simulatedNet: Cents,
  simulatedGross: Cents,
})
