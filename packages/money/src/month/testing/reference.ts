import { addDays, type Day, daysBetween, getMonthPeriod, isDayInPeriod } from '../../calendar/days.ts'
import { addRatios, compareRatios, floorRatio, type Ratio, toRatio, ZERO } from '../../numbers/exact-numbers.ts'
import type { BillingMember, DistributorRow, MonthInput } from '../input.ts'

/**
 * The billing rules written plainly, with a fraction for every energy: slow, and written independently of the fast
 * code.
 */
type ReferenceCell = { member: BillingMember; producer: string; class: string; day: Day; energy: Ratio }

const isMember = (member: BillingMember, day: Day) => isDayInPeriod(member, day)

function listDaysOfMonth({ month }: MonthInput): Day[] {
  const { from, to } = getMonthPeriod(month)
  return Array.from({ length: daysBetween(from, to) }, (_, at) => addDays(from, at))
}

function ownCells(input: MonthInput): ReferenceCell[] {
  const days = listDaysOfMonth(input)
  return input.cells.flatMap((row) => {
    const member = input.members.find(({ id }) => id === row.member)
    if (!member) return []
    return days
      .map((day, at) => ({
        member,
        producer: row.producer,
        class: row.class,
        day,
        energy: toRatio(row.wattMinutes[at] ?? 0),
      }))
      .filter(({ day }) => isMember(member, day))
  })
}

const sumCells = (cells: readonly { energy: Ratio }[]) =>
  cells.reduce((sum, { energy }) => addRatios(sum, energy), ZERO)

function spreadReferenceRow(input: MonthInput, own: readonly ReferenceCell[], row: DistributorRow): ReferenceCell[] {
  const days = listDaysOfMonth(input).filter((day) => isDayInPeriod(row, day))
  const holder = (day: Day) => input.members.find((member) => member.prm === row.prm && isMember(member, day))
  const inRow = own.filter(({ day }) => days.includes(day) && holder(day) !== undefined)
  const ofPoint = inRow.filter(({ member }) => member.prm === row.prm)
  const held = days.flatMap((day) => {
    const member = holder(day)
    return member ? [{ day, member }] : []
  })
  const neighbours = inRow.flatMap((cell) => {
    const member = holder(cell.day)
    return member ? [{ ...cell, member }] : []
  })
  const equal = held.flatMap(({ day, member }) =>
    input.producers.map(({ id }) => ({ member, producer: id, class: row.class, day, energy: toRatio(1) })),
  )
  const sharing = [ofPoint.filter((cell) => cell.class === row.class), ofPoint, neighbours, equal].find(
    (cells) => sumCells(cells).num > 0n,
  )
  const sum = sumCells(sharing ?? [])
  return (sharing ?? []).map((cell) => ({
    ...cell,
    class: row.class,
    energy: toRatio(cell.energy.num * 60n * BigInt(row.wh) * sum.den, cell.energy.den * sum.num),
  }))
}

/** Every daily energy of the month, from the one source of its point. */
function listReferenceCells(input: MonthInput): ReferenceCell[] {
  const own = ownCells(input)
  return [...new Set(input.members.map(({ prm }) => prm))].flatMap((prm) => {
    const rows = input.distributor.filter((row) => row.prm === prm)
    const needed = listDaysOfMonth(input).filter((day) =>
      input.members.some((member) => member.prm === prm && isMember(member, day)),
    )
    const covered = rows.length > 0 && needed.every((day) => rows.some((row) => isDayInPeriod(row, day)))
    return covered
      ? rows.flatMap((row) => spreadReferenceRow(input, own, row))
      : own.filter(({ member }) => member.prm === prm)
  })
}

function getSubPeriodStart(input: MonthInput, { day, member }: ReferenceCell): Day {
  const starts = [
    getMonthPeriod(input.month).from,
    member.from,
    ...input.tariffs.flatMap(({ from, rules }) => [
      from,
      ...rules.flatMap(({ index }) => index?.values.map((v) => v.from) ?? []),
    ]),
    ...input.accise.map(({ from }) => from),
  ]
  return (
    starts
      .filter((start) => start <= day)
      .sort()
      .at(-1) ?? day
  )
}

function getRuleId(input: MonthInput, { day, member, producer, class: name }: ReferenceCell): string {
  const rules = input.tariffs.find((version) => isDayInPeriod(version, day))?.rules ?? []
  const asks = { buyer: member.buyer, group: member.group, producer, class: name }
  const best = (['buyer', 'group', 'producer', 'class'] as const).reduce((left, field) => {
    const named = left.filter((rule) => rule[field] === asks[field] && rule[field] !== undefined)
    return named.length > 0 ? named : left.filter((rule) => rule[field] === undefined)
  }, rules)
  return best[0]?.id ?? 'none'
}

/** Exact energy by line: member, seller, first day of the sub-period, rule, liable. */
export function computeExactLines(input: MonthInput): Map<string, Ratio> {
  const lines = new Map<string, Ratio>()
  for (const cell of listReferenceCells(input)) {
    if (cell.energy.num === 0n) continue
    const producer = input.producers.find(({ id }) => id === cell.producer)
    const name = [
      cell.member.id,
      producer?.seller,
      getSubPeriodStart(input, cell),
      getRuleId(input, cell),
      producer?.accise ?? false,
    ].join(' ')
    lines.set(name, addRatios(lines.get(name) ?? ZERO, cell.energy))
  }
  return lines
}

/** Whether the units are the floor of the share, or one more. */
export const isNear = (units: number, share: Ratio): boolean =>
  BigInt(units) === floorRatio(share) ||
  (BigInt(units) === floorRatio(share) + 1n && compareRatios({ num: floorRatio(share), den: 1n }, share) < 0)
