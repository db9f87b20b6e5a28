import { z } from 'zod'

/** Money is whole cents; on a credit note they are positive as printed. */
export const Cents = z.int()
/** 1/10 000 € per kWh, before tax: 1 543 is 15,43 c€/kWh. */
export const UnitPrice = z
  .int()
  .min(0, 'Un prix ne peut pas être négatif\u00a0: 0 ou plus est attendu.')
  .max(100_000, 'Un prix de plus de 10 € par kWh n’est pas plausible.')
/** 1/100 %. */
export const BasisPoints = z.int().min(0).max(10_000)
export const VatMode = z.enum(['standard', 'exempt', 'outside', 'elsewhere'])
export type VatMode = z.infer<typeof VatMode>
export const VatCategory = z.enum(['S', 'E', 'O'])
/** Whose figures a line rests on. */
export const EnergySource = z.enum(['distributor', 'definitive', 'provisional'])
export type EnergySource = z.infer<typeof EnergySource>
export const FeePeriod = z.enum(['month', 'quarter', 'year'])
export const InvoiceKind = z.enum(['invoice', 'complement', 'creditNote', 'statement'])
export type InvoiceKind = z.infer<typeof InvoiceKind>
export const BuyerKind = z.enum(['person', 'company', 'public'])
export type BuyerKind = z.infer<typeof BuyerKind>

export const ENERGY_SOURCE_LABELS: Record<EnergySource, string> = {
  distributor: 'Enedis définitif',
  definitive: 'calcul Voisol définitif',
  provisional: 'provisoire, susceptible de régularisation',
}
export const INVOICE_KIND_LABELS: Record<InvoiceKind, string> = {
  invoice: 'Facture',
  complement: 'Facture complémentaire',
  creditNote: 'Avoir',
  statement: 'Relevé d’énergie partagée',
}
