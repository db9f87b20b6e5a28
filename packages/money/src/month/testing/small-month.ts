import type { EnergyCells, MonthInput } from '../input.ts'
import { type BilledMonth, computeMonthOutcome } from '../month.ts'

/** Watt-minutes on some days of October 2026: `{ 3: 60_030 }` is the third. */
export function buildCells(
  member: string,
  days: Record<number, number>,
  { producer = 'P1', name = 'HPB' } = {},
): EnergyCells {
  const wattMinutes = new Float64Array(31)
  for (const [day, value] of Object.entries(days)) wattMinutes[Number(day) - 1] = value
  return { member, producer, class: name, wattMinutes }
}

export const buildMember = (at: number) => ({
  id: `M${at}`,
  prm: `3000000000000${at}`,
  buyer: `B${at}`,
  from: '2025-01-01',
  to: null,
})

/** One seller, one producer, two members, one price: each test changes what it checks. */
export const buildOctober = (changes: Partial<MonthInput> = {}): MonthInput => ({
  month: '2026-10',
  resolutionWh: 1,
  sellers: [{ id: 'S1', vat: [{ from: '2020-01-01', to: null, mode: 'standard', rate: 2_000 }] }],
  producers: [{ id: 'P1', seller: 'S1' }],
  members: [buildMember(1), buildMember(2)],
  cells: [buildCells('M1', { 3: 7_407_380 }), buildCells('M2', { 3: 2_593_117 })],
  distributor: [],
  tariffs: [{ from: '2025-01-01', to: null, rules: [{ id: 'base', price: 1_237 }] }],
  fees: [],
  discounts: [],
  accise: [],
  ...changes,
})

export function computeOctoberBill(input: MonthInput): BilledMonth {
  const outcome = computeMonthOutcome(input)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues))
  return outcome.month
}

export function computeIssues(input: MonthInput) {
  const outcome = computeMonthOutcome(input)
  return outcome.ok ? [] : outcome.issues
}
