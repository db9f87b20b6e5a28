import type { Month, Period, Periodicity, ValidityPeriod } from '../calendar/days.ts'
import type { AcciseRate, TariffVersion } from '../tariff/pricing-rules.ts'

export type VatMode = 'standard' | 'exempt' | 'outside' | 'elsewhere'
export type VatStatus = ValidityPeriod & { readonly mode: VatMode; readonly rate: number }

type BillingSeller = { readonly id: string; readonly vat: readonly VatStatus[] }
/** A producer's point; `accise` where its site is of 1 MW or more. */
export type BillingProducer = { readonly id: string; readonly seller: string; readonly accise?: boolean }
/** A participation: the period during which a buyer holds a point. */
export type BillingMember = ValidityPeriod & {
  readonly id: string
  readonly prm: string
  readonly buyer: string
  readonly group?: string
  readonly kva?: number
  readonly acciseClass?: string
}
/**
 * What our runs gave a member from a producer in a time class: watt-minutes by day, from the first of the month. One
 * row holds a whole month, to avoid half a million objects; rows with the same key add up.
 */
export type EnergyCells = {
  readonly member: string
  readonly producer: string
  readonly class: string
  readonly wattMinutes: ArrayLike<number>
}
/** A definitive quantity of the distributor, which has neither producer nor day. */
export type DistributorRow = Period & { readonly prm: string; readonly class: string; readonly wh: number }

export type BillingFee = ValidityPeriod & {
  readonly id: string
  readonly seller: string
  readonly amount: number
  readonly every: Periodicity
  readonly rate?: number
  readonly perKva?: boolean
  /** Outside the scope of VAT. */
  readonly outside?: boolean
  readonly group?: string
}
export type BillingDiscount = { readonly id: string; readonly buyer?: string; readonly seller?: string } & (
  | { readonly percentBp: number; readonly amount?: undefined }
  | { readonly amount: number; readonly percentBp?: undefined }
)

export type MonthInput = {
  readonly month: Month
  /** The unit of a quantity: 1 Wh, or 1 000. */
  readonly resolutionWh: number
  readonly sellers: readonly BillingSeller[]
  readonly producers: readonly BillingProducer[]
  readonly members: readonly BillingMember[]
  readonly cells: readonly EnergyCells[]
  readonly distributor: readonly DistributorRow[]
  readonly tariffs: readonly TariffVersion[]
  readonly fees: readonly BillingFee[]
  /** In the order in which they apply. */
  readonly discounts: readonly BillingDiscount[]
  readonly accise: readonly AcciseRate[]
  /** Points whose own energies come from a provisional run. */
  readonly provisional?: readonly string[]
  /** Uses the last value of an index when the current one is not yet published. */
  readonly acceptLastIndex?: boolean
}
