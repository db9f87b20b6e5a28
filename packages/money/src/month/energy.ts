import {
  addDays,
  type Day,
  daysBetween,
  getMonthPeriod,
  intersectPeriods,
  isDayInPeriod,
  type Period,
} from '../calendar/days.ts'
import type { BillingMember, EnergyCells, MonthInput } from './input.ts'
import type { MonthNotice } from './issues.ts'
import { createProducerTotals, distributeRow, type EnergyLayer } from './spread.ts'

export type EnergyFigureSource = 'distributor' | 'definitive' | 'provisional'
/** The exact energy of the members of a month, by producer, class and day. */
export type MonthEnergy = {
  period: Period
  layers: ReadonlyMap<string, readonly EnergyLayer[]>
  sources: ReadonlyMap<string, EnergyFigureSource>
  notices: readonly MonthNotice[]
}

/** Our own energies by member, one row for each producer and class, limited to the days of membership. */
function collectOwnCells({ cells, members }: MonthInput, period: Period) {
  const byMember = new Map<string, EnergyLayer[]>(members.map(({ id }) => [id, []]))
  const membershipDays = new Map(members.map((member) => [member.id, getMembershipDays(member, period)]))
  const rows = new Map<string, EnergyLayer>()
  const outside = new Map<string, number>()
  for (const row of cells) {
    const layer = getOrAddLayer(row, rows, byMember)
    const stay = membershipDays.get(row.member) ?? { first: 0, end: 0 }
    for (let day = 0; day < row.wattMinutes.length; day++) {
      const value = row.wattMinutes[day] ?? 0
      if (day >= stay.first && day < stay.end) layer.weights[day] = (layer.weights[day] ?? 0) + value
      else if (value > 0) outside.set(row.member, (outside.get(row.member) ?? 0) + value)
    }
  }
  return { byMember, outside }
}

function getOrAddLayer(
  row: EnergyCells,
  rows: Map<string, EnergyLayer>,
  byMember: Map<string, EnergyLayer[]>,
): EnergyLayer {
  const name = JSON.stringify([row.member, row.producer, row.class])
  const known = rows.get(name)
  if (known) return known
  const weights = new Float64Array(row.wattMinutes.length)
  const layer = { producer: row.producer, class: row.class, weights, num: 1n, den: 1n }
  rows.set(name, layer)
  byMember.get(row.member)?.push(layer)
  return layer
}

/** Days of the month, as an index from its first, on which the participation is active. */
function getMembershipDays(member: BillingMember, period: Period) {
  const stay = intersectPeriods(period, member)
  if (!stay) return { first: 0, end: 0 }
  return { first: daysBetween(period.from, stay.from), end: daysBetween(period.from, stay.to) }
}

/** Whether every day on which a member held the point has a row of the distributor, in any class. */
function isCovered(members: readonly BillingMember[], rows: readonly Period[], period: Period): boolean {
  if (rows.length === 0) return false
  const stays = members.flatMap((member) => intersectPeriods(period, member) ?? [])
  return stays.every(({ from, to }) =>
    listDaysOfPeriod(from, to).every((day) => rows.some((row) => isDayInPeriod(row, day))),
  )
}

const listDaysOfPeriod = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysBetween(from, to) }, (_, at) => addDays(from, at))

/** One source for each point: the distributor's definitive quantities where they cover every day, else our own. */
export function computeMonthEnergy(input: MonthInput): MonthEnergy {
  const period = getMonthPeriod(input.month)
  const { byMember, outside } = collectOwnCells(input, period)
  const layers = new Map<string, EnergyLayer[]>(byMember)
  const sources = new Map<string, EnergyFigureSource>()
  const notices: MonthNotice[] = [...outside].map(([member, wattMinutes]) => ({
    code: 'energyOutsideMembership',
    member,
    wattMinutes,
  }))
  const provisional = new Set(input.provisional)
  const totals = createProducerTotals(byMember)
  const rowsOf = Map.groupBy(input.distributor, ({ prm }) => prm)
  const memberPrms = new Set(input.members.map(({ prm }) => prm))
  for (const row of input.distributor)
    if (!memberPrms.has(row.prm) && row.wh > 0) notices.push({ code: 'rowOutsideMembership', ...row })
  for (const [prm, holders] of Map.groupBy(input.members, (member) => member.prm)) {
    const rows = rowsOf.get(prm) ?? []
    if (isCovered(holders, rows, period)) {
      sources.set(prm, 'distributor')
      for (const { id } of holders) layers.set(id, [])
      for (const row of rows)
        notices.push(...distributeRow({ row, holders, own: byMember, totals, layers, input, period }))
      continue
    }
    if (rows.length > 0) notices.push({ code: 'partlyCovered', prm })
    sources.set(prm, provisional.has(prm) ? 'provisional' : 'definitive')
    if (provisional.has(prm)) notices.push({ code: 'provisional', prm })
  }
  return { period, layers, sources, notices }
}
