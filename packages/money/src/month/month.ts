import { addDays } from '../calendar/days.ts'
import type { BillingDocument } from '../documents/document.ts'
import { findMonthInputIssues } from './check.ts'
import { buildMonthDocuments } from './documents.ts'
import { draftMonth, type MemberDrafts } from './drafts.ts'
import { computeMonthEnergy, type EnergyFigureSource, type MonthEnergy } from './energy.ts'
import { owesFee } from './fee-lines.ts'
import type { MonthInput } from './input.ts'
import type { MonthIssue, MonthNotice } from './issues.ts'
import { apportionMemberUnits } from './units.ts'

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
export function computeBilledMonth(
  input: MonthInput,
  energy: MonthEnergy,
  kept?: ReadonlyMap<string, number>,
): MonthOutcome {
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
