import { addDays } from '../calendar/days.ts'
import type { BillingDocument } from '../documents/document.ts'
import { findMonthInputIssues } from './check-month-input.ts'
import type { MonthInput } from './input.ts'
import type { MonthIssue, MonthNotice } from './issues.ts'
import { buildMonthDocuments, owesFee } from './month-documents.ts'
import { computeMonthEnergy, type EnergyFigureSource, type EnergyLayer, type MonthEnergy } from './month-energy.ts'
import { apportionMemberUnits, draftMonth, type MemberDrafts } from './month-lines.ts'

/** A billed month: whole units with their sum, and the documents made of them. */
export type BilledMonth = {
  /** Units of `resolutionWh`, by member; a later correction keeps them for members it does not affect. */
  readonly units: ReadonlyMap<string, number>
  readonly totalUnits: number
  readonly sources: ReadonlyMap<string, EnergyFigureSource>
  readonly documents: readonly BillingDocument[]
  readonly notices: readonly MonthNotice[]
}
export type MonthOutcome =
  | { readonly ok: true; readonly month: BilledMonth }
  | { readonly ok: false; readonly issues: readonly MonthIssue[] }

/** Data that the documents need and the month lacks. */
function findMissingData(input: MonthInput, members: readonly MemberDrafts[], { period }: MonthEnergy): MonthIssue[] {
  const lastDay = addDays(period.to, -1)
  const owed = input.fees.flatMap((fee) =>
    input.members.filter((member) => owesFee(fee, member, period)).map((member) => ({ fee, member })),
  )
  const selling = new Set([
    ...members.flatMap(({ drafts }) => drafts.map(({ seller }) => seller)),
    ...owed.map(({ fee }) => fee.seller),
  ])
  const silent = input.sellers.filter(
    ({ id, vat }) => selling.has(id) && !vat.some(({ from, to }) => from <= lastDay && (to === null || lastDay < to)),
  )
  return [
    ...owed
      .filter(({ fee, member }) => fee.perKva && member.kva === undefined)
      .map(({ fee, member }): MonthIssue => ({ code: 'noKva', member: member.id, fee: fee.id })),
    ...silent.map(({ id }): MonthIssue => ({ code: 'noVatMode', seller: id, day: lastDay })),
  ]
}

/** Bills a month; members in `kept` keep their previous units, because none of their energies changed since (§6.2). */
function computeBilledMonth(input: MonthInput, energy: MonthEnergy, kept?: ReadonlyMap<string, number>): MonthOutcome {
  const { members, issues, notices } = draftMonth(input, energy)
  const all = [...issues, ...findMissingData(input, members, energy)]
  if (all.length > 0) return { ok: false, issues: all }
  const given = apportionMemberUnits(members, input.resolutionWh, kept)
  const units = new Map(input.members.map(({ id }) => [id, given.get(id)?.units ?? 0]))
  const totalUnits = [...units.values()].reduce((sum, each) => sum + each, 0)
  const made = buildMonthDocuments(input, energy, members, given)
  const month = {
    units,
    totalUnits,
    sources: energy.sources,
    documents: made.documents,
    notices: [...notices, ...made.notices],
  }
  return { ok: true, month }
}

/** The documents of a month computed from energies and quantities, or everything that blocks them. */
export function computeMonthOutcome(input: MonthInput): MonthOutcome {
  const issues = findMonthInputIssues(input)
  return issues.length > 0 ? { ok: false, issues } : computeBilledMonth(input, computeMonthEnergy(input))
}

/** The input of the last computation of a month, and the units it gave. */
type PreviousComputation = { readonly input: MonthInput; readonly units: ReadonlyMap<string, number> }

const getLayerKey = ({ producer, class: name }: EnergyLayer) => JSON.stringify([producer, name])
const hasEnergy = ({ weights, num }: EnergyLayer) => num > 0n && weights.some((weight) => weight > 0)

/** Exact energy of one day: at most one layer of a producer and class covers a day. */
function findLayerOnDay(layers: readonly EnergyLayer[], day: number): EnergyLayer | undefined {
  return layers.find(({ weights }) => (weights[day] ?? 0) > 0)
}

function isSameOnDay(a: EnergyLayer | undefined, b: EnergyLayer | undefined, day: number): boolean {
  if (!a || !b) return a === b
  const [left, right] = [a.weights[day] ?? 0, b.weights[day] ?? 0]
  if (a.num === b.num && a.den === b.den) return left === right
  return BigInt(left) * a.num * b.den === BigInt(right) * b.num * a.den
}

/** Whether two computations gave a member the same energy by producer, class and day, whatever the source. */
function haveSameCells(before: readonly EnergyLayer[], after: readonly EnergyLayer[]): boolean {
  const [a, b] = [before, after].map((layers) => Map.groupBy(layers.filter(hasEnergy), getLayerKey))
  if (!a || !b || a.size !== b.size) return false
  return [...a].every(([name, layers]) => {
    const others = b.get(name)
    if (!others) return false
    const days = layers[0]?.weights.length ?? 0
    return Array.from({ length: days }, (_, day) => day).every((day) =>
      isSameOnDay(findLayerOnDay(layers, day), findLayerOnDay(others, day), day),
    )
  })
}

/**
 * A month computed again with today's data and the prices of that month. Members whose energies did not change keep
 * their units, so that nobody is corrected because of a neighbour; the others share their rounded exact sum.
 */
export function recomputeMonth(before: PreviousComputation, input: MonthInput): MonthOutcome {
  const issues = findMonthInputIssues(input)
  if (issues.length > 0) return { ok: false, issues }
  const energy = computeMonthEnergy(input)
  const earlier = computeMonthEnergy(before.input)
  const sameUnit = before.input.resolutionWh === input.resolutionWh && before.input.month === input.month
  const kept = input.members.flatMap(({ id }): [string, number][] => {
    const units = before.units.get(id)
    const same = sameUnit && haveSameCells(earlier.layers.get(id) ?? [], energy.layers.get(id) ?? [])
    return units !== undefined && same ? [[id, units]] : []
  })
  return computeBilledMonth(input, energy, new Map(kept))
}
