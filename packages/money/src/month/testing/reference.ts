import { addDays, covers, type Day, daysBetween, monthPeriod } from '../../calendar/days.ts'
import { compare, floor, plus, type Ratio, ratio, ZERO } from '../../numbers/ratio.ts'
import type { DistributorRow, Member, MonthInput } from '../input.ts'

/** The rules word for word, a fraction for every cell: slow, and written without looking at the other one. */
export type Cell = { member: Member; producer: string; class: string; day: Day; energy: Ratio }

const isMember = (member: Member, day: Day) => covers(member, day)

function daysOf({ month }: MonthInput): Day[] {
  const { from, to } = monthPeriod(month)
  return Array.from({ length: daysBetween(from, to) }, (_, at) => addDays(from, at))
}

function ownCells(input: MonthInput): Cell[] {
  const days = daysOf(input)
  return input.cells.flatMap((row) => {
    const member = input.members.find(({ id }) => id === row.member)
    if (!member) return []
    return days
      .map((day, at) => ({
        member,
        producer: row.producer,
        class: row.class,
        day,
        energy: ratio(row.wattMinutes[at] ?? 0),
      }))
      .filter(({ day }) => isMember(member, day))
  })
}

const total = (cells: readonly { energy: Ratio }[]) => cells.reduce((sum, { energy }) => plus(sum, energy), ZERO)

function spread(input: MonthInput, own: readonly Cell[], row: DistributorRow): Cell[] {
  const days = daysOf(input).filter((day) => covers(row, day))
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
    input.producers.map(({ id }) => ({ member, producer: id, class: row.class, day, energy: ratio(1) })),
  )
  const sharing = [ofPoint.filter((cell) => cell.class === row.class), ofPoint, neighbours, equal].find(
    (cells) => total(cells).num > 0n,
  )
  const sum = total(sharing ?? [])
  return (sharing ?? []).map((cell) => ({
    ...cell,
    class: row.class,
    energy: ratio(cell.energy.num * 60n * BigInt(row.wh) * sum.den, cell.energy.den * sum.num),
  }))
}

/** Every cell of the month, from the one source of its point. */
export function cellsOf(input: MonthInput): Cell[] {
  const own = ownCells(input)
  return [...new Set(input.members.map(({ prm }) => prm))].flatMap((prm) => {
    const rows = input.distributor.filter((row) => row.prm === prm)
    const needed = daysOf(input).filter((day) =>
      input.members.some((member) => member.prm === prm && isMember(member, day)),
    )
    const covered = rows.length > 0 && needed.every((day) => rows.some((row) => covers(row, day)))
    return covered ? rows.flatMap((row) => spread(input, own, row)) : own.filter(({ member }) => member.prm === prm)
  })
}

function startOf(input: MonthInput, { day, member }: Cell): Day {
  const starts = [
    monthPeriod(input.month).from,
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

function ruleOf(input: MonthInput, { day, member, producer, class: name }: Cell): string {
  const rules = input.tariffs.find((version) => covers(version, day))?.rules ?? []
  const asks = { buyer: member.buyer, group: member.group, producer, class: name }
  const best = (['buyer', 'group', 'producer', 'class'] as const).reduce((left, field) => {
    const named = left.filter((rule) => rule[field] === asks[field] && rule[field] !== undefined)
    return named.length > 0 ? named : left.filter((rule) => rule[field] === undefined)
  }, rules)
  return best[0]?.id ?? 'none'
}

/** Exact energy by line: member, seller, first day of the sub-period, rule, liable. */
export function exactLines(input: MonthInput): Map<string, Ratio> {
  const lines = new Map<string, Ratio>()
  for (const cell of cellsOf(input)) {
    if (cell.energy.num === 0n) continue
    const producer = input.producers.find(({ id }) => id === cell.producer)
    const name = [
      cell.member.id,
      producer?.seller,
      startOf(input, cell),
      ruleOf(input, cell),
      producer?.accise ?? false,
    ].join(' ')
    lines.set(name, plus(lines.get(name) ?? ZERO, cell.energy))
  }
  return lines
}

/** Whether the unit is the floor of the share, or the next one. */
export const isNear = (units: number, share: Ratio): boolean =>
  BigInt(units) === floor(share) ||
  (BigInt(units) === floor(share) + 1n && compare({ num: floor(share), den: 1n }, share) < 0)
