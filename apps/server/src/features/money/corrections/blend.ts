import type { MonthInput } from '@voisol/money/input'

type TariffVersions = MonthInput['tariffs']
type BilledRule = TariffVersions[number]['rules'][number]

/** An index revised later does not change billed amounts: its values stay those of the close. */
function keepIndexValues(now: TariffVersions, before: TariffVersions): TariffVersions {
  const known = new Map(before.flatMap(({ rules }) => rules.map((rule): [string, BilledRule] => [rule.id, rule])))
  return now.map((version) => ({
    ...version,
    rules: version.rules.map((rule) => {
      const values = known.get(rule.id)?.index?.values
      return rule.index && values ? { ...rule, index: { ...rule.index, values } } : rule
    }),
  }))
}

/** A member's pricing attributes stay as billed; new members are taken as they are today. */
function keepMemberPricing(now: MonthInput['members'], before: MonthInput['members']): MonthInput['members'] {
  const known = new Map(before.map((member) => [member.id, member]))
  return now.map((member) => {
    const { id, prm, buyer, from, to } = member
    const was = known.get(id)
    if (!was) return member
    const { group, kva, acciseClass } = was
    return {
      id,
      prm,
      buyer,
      from,
      to,
      ...(group === undefined ? {} : { group }),
      ...(kva === undefined ? {} : { kva }),
      ...(acciseClass === undefined ? {} : { acciseClass }),
    }
  })
}

const appendNew = <T extends { id: string }>(before: readonly T[], now: readonly T[]): T[] => {
  const known = new Set(before.map(({ id }) => id))
  return [...before, ...now.filter(({ id }) => !known.has(id))]
}

/** A billed month with today's data and the prices of that month (money.md §6.1). */
export const buildRecomputationInput = (before: MonthInput, now: MonthInput): MonthInput => ({
  ...now,
  month: before.month,
  resolutionWh: before.resolutionWh,
  sellers: appendNew(before.sellers, now.sellers),
  members: keepMemberPricing(now.members, before.members),
  tariffs: keepIndexValues(now.tariffs, before.tariffs),
  accise: before.accise,
  ...(before.acceptLastIndex === undefined ? {} : { acceptLastIndex: before.acceptLastIndex }),
})
