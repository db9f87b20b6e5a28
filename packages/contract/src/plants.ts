import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Wh } from './energy-figures.ts'
import { Cents } from './money.ts'
import { Day, Id, OptionalText, Version } from './primitives.ts'

export const AmountKind = z.enum([
  'investment',
  'subsidy',
  'loan',
  'maintenance',
  'insurance',
  'grid',
  'other',
  'surplus',
])
export type AmountKind = z.infer<typeof AmountKind>
export const AMOUNT_KIND_LABELS: Record<AmountKind, string> = {
  investment: 'Investissement',
  subsidy: 'Subvention',
  loan: 'Échéance d’emprunt',
  maintenance: 'Entretien',
  insurance: 'Assurance',
  grid: 'Accès au réseau',
  other: 'Autre charge',
  surplus: 'Vente du surplus',
}
export const AmountFrequency = z.enum(['once', 'month', 'year'])
export type AmountFrequency = z.infer<typeof AmountFrequency>
export const AMOUNT_FREQUENCY_LABELS: Record<AmountFrequency, string> = {
  once: 'une fois',
  month: 'chaque mois',
  year: 'chaque année',
}

export const PlantAmount = z.object({
  id: Id,
  pointId: Id,
  kind: AmountKind,
  label: z.string(),
  amount: Cents,
  every: AmountFrequency,
  startsOn: Day,
  endsOn: Day.nullable(),
  version: z.int(),
})
export type PlantAmount = z.infer<typeof PlantAmount>

const amountFields = {
  kind: AmountKind,
  label: OptionalText,
  amount: z.int().min(1).max(100_000_000_00),
  every: AmountFrequency,
  startsOn: Day,
  endsOn: Day.nullable(),
}
export const AmountDraft = z.strictObject(amountFields)
export const AmountUpdate = z.strictObject({ ...amountFields, version: Version })

/** Whole cents over the period; null where it cannot be said, never a guess. */
export const PlantEconomy = z.object({
  /** The producer, whose plants are sold together. */
  id: Id,
  name: z.string(),
  plants: z.array(
    z.object({
      pointId: Id,
      prm: z.string(),
      label: z.string(),
      peakWatts: z.number().nullable(),
      operationId: Id,
      operationName: z.string(),
    }),
  ),
  produced: Wh,
  shared: Wh,
  surplus: Wh,
  /** Net of tax, of what was issued in its name for days of the period; null where it sells in nobody's name here. */
  sales: Cents.nullable(),
  documents: z.int(),
  surplusIncome: Cents,
  /** Running costs, without the loan. */
  costs: Cents,
  loan: Cents,
  /** Sales and surplus less running costs and loan. */
  result: Cents,
  /** Entered, less subsidies; null where none was. */
  investment: Cents.nullable(),
  /** A year's sales and surplus less running costs, as a part of the investment; null under a year or without one. */
  realised: z.number().nullable(),
  /** Why it cannot be said; empty where it is. */
  unsaid: z.string(),
  /** The same in the study of the project that became the operation. */
  studied: z.object({ projectId: Id, name: z.string(), rate: z.number(), incomeCents: z.number() }).nullable(),
  amounts: z.array(PlantAmount),
})
export type PlantEconomy = z.infer<typeof PlantEconomy>

export const plants = {
  economies: defineEndpoint({
    method: 'GET',
    path: '/api/plants/economies',
    access: { permission: 'plants.read', portal: true },
    summary: 'Économie des installations',
    query: z.object({ from: Day, to: Day, operationId: Id.optional() }),
    response: z.object({ items: z.array(PlantEconomy) }),
  }),
  addAmount: defineEndpoint({
    method: 'POST',
    path: '/api/plants/:pointId/amounts',
    access: { permission: 'plants.write' },
    summary: 'Ajouter un montant à une installation',
    params: z.object({ pointId: Id }),
    body: AmountDraft,
    response: PlantAmount,
  }),
  updateAmount: defineEndpoint({
    method: 'PATCH',
    path: '/api/plants/amounts/:id',
    access: { permission: 'plants.write' },
    summary: 'Modifier un montant d’une installation',
    params: z.object({ id: Id }),
    body: AmountUpdate,
    response: PlantAmount,
  }),
  removeAmount: defineEndpoint({
    method: 'DELETE',
    path: '/api/plants/amounts/:id',
    access: { permission: 'plants.write' },
    summary: 'Retirer un montant d’une installation',
    params: z.object({ id: Id }),
    response: z.object({ success: z.literal(true) }),
  }),
}
