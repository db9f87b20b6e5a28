import { addDays, clip, covers, type Day, daysBetween, monthPeriod, type Period } from '../calendar/days.ts'
import type { Cells, Member, MonthInput } from './input.ts'
import type { Notice } from './issues.ts'
import { type Layer, spreadRow, totalsOf } from './spread.ts'

export type Source = 'distributor' | 'definitive' | 'provisional'
/** What a month's members had, exactly, by producer, class and day. */
export type MonthEnergy = {
  period: Period
  layers: ReadonlyMap<string, readonly Layer[]>
  sources: ReadonlyMap<string, Source>
  notices: readonly Notice[]
}

/** Our own cells by member, one row for each producer and class, within the days of membership. */
function ownCells({ cells, members }: MonthInput, period: Period) {
  const byMember = new Map<string, Layer[]>(members.map(({ id }) => [id, []]))
  const stays = new Map(members.map((member) => [member.id, stayOf(member, period)]))
  const rows = new Map<string, Layer>()
  const outside = new Map<string, number>()
  for (const row of cells) {
    const layer = layerOf(row, rows, byMember)
    const stay = stays.get(row.member) ?? { first: 0, end: 0 }
    for (let day = 0; day < row.wattMinutes.length; day++) {
      const value = row.wattMinutes[day] ?? 0
      if (day >= stay.first && day < stay.end) layer.weights[day] = (layer.weights[day] ?? 0) + value
      else if (value > 0) outside.set(row.member, (outside.get(row.member) ?? 0) + value)
    }
  }
  return { byMember, outside }
}

function layerOf(row: Cells, rows: Map<string, Layer>, byMember: Map<string, Layer[]>): Layer {
  const name = JSON.stringify([row.member, row.producer, row.class])
  const known = rows.get(name)
  if (known) return known
  const weights = new Float64Array(row.wattMinutes.length)
  const layer = { producer: row.producer, class: row.class, weights, num: 1n, den: 1n }
  rows.set(name, layer)
  byMember.get(row.member)?.push(layer)
  return layer
}

/** Days of the month, counted from its first, at which the member is there. */
function stayOf(member: Member, period: Period) {
  const stay = clip(period, member)
  if (!stay) return { first: 0, end: 0 }
  return { first: daysBetween(period.from, stay.from), end: daysBetween(period.from, stay.to) }
}

/** Every day at which somebody held the point has a row of the distributor, of whatever class. */
function isCovered(members: readonly Member[], rows: readonly Period[], period: Period): boolean {
  if (rows.length === 0) return false
  const stays = members.flatMap((member) => clip(period, member) ?? [])
  return stays.every(({ from, to }) => daysOf(from, to).every((day) => rows.some((row) => covers(row, day))))
}

const daysOf = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysBetween(from, to) }, (_, at) => addDays(from, at))

/** One source for each point: the distributor's definitive quantities where they cover every day, else our own. */
export function energyOf(input: MonthInput): MonthEnergy {
  const period = monthPeriod(input.month)
  const { byMember, outside } = ownCells(input, period)
  const layers = new Map<string, Layer[]>(byMember)
  const sources = new Map<string, Source>()
  const notices: Notice[] = [...outside].map(([member, wattMinutes]) => ({
    code: 'energyOutsideMembership',
    member,
    wattMinutes,
  }))
  const provisional = new Set(input.provisional)
  const totals = totalsOf(byMember)
  const rowsOf = Map.groupBy(input.distributor, ({ prm }) => prm)
  const held = new Set(input.members.map(({ prm }) => prm))
  for (const row of input.distributor)
    if (!held.has(row.prm) && row.wh > 0) notices.push({ code: 'rowOutsideMembership', ...row })
  for (const [prm, holders] of Map.groupBy(input.members, (member) => member.prm)) {
    const rows = rowsOf.get(prm) ?? []
    if (isCovered(holders, rows, period)) {
      sources.set(prm, 'distributor')
      for (const { id } of holders) layers.set(id, [])
      for (const row of rows) notices.push(...spreadRow({ row, holders, own: byMember, totals, layers, input, period }))
      continue
    }
    if (rows.length > 0) notices.push({ code: 'partlyCovered', prm })
    sources.set(prm, provisional.has(prm) ? 'provisional' : 'definitive')
    if (provisional.has(prm)) notices.push({ code: 'provisional', prm })
  }
  return { period, layers, sources, notices }
}
