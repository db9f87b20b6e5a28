import {
  addDays,
  type Day,
  daysBetween,
  getMonthPeriod,
  intersectPeriods,
  isDayInPeriod,
  type Period,
} from '../calendar/days.ts'
import type { BillingMember, DistributorRow, EnergyCells, MonthInput } from './input.ts'
import type { MonthNotice } from './issues.ts'

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

/**
 * Energy of one producer and class by day of the month: weight × num / den watt-minutes, exactly. Our own energies have
 * whole weights and a factor of one; a row of the distributor divides its quantity (num) by the sum of its weights
 * (den).
 */
export type EnergyLayer = { producer: string; class: string; weights: Float64Array; num: bigint; den: bigint }
/** The parts a row is divided into: holder, producer, and the weight of each day. */
type SpreadPart = { holder: string; producer: string; weights: Float64Array }

type SpreadContext = {
  row: DistributorRow
  holders: readonly BillingMember[]
  /** Our own energies of every member. */
  own: ReadonlyMap<string, readonly EnergyLayer[]>
  /** By producer, the energy of all members on each day. */
  totals: () => ReadonlyMap<string, Float64Array>
  /** Receives the result. */
  layers: Map<string, EnergyLayer[]>
  input: MonthInput
  period: Period
}
type MembershipWindow = { holder: string; first: number; end: number }

/** The days of the row on which each holder was a member. */
function listWindows({ row, holders, period }: SpreadContext): MembershipWindow[] {
  return holders.flatMap((member) => {
    const days = intersectPeriods(row, period, member)
    if (!days) return []
    return [{ holder: member.id, first: daysBetween(period.from, days.from), end: daysBetween(period.from, days.to) }]
  })
}

function keepWindow(source: Float64Array, { first, end }: MembershipWindow): Float64Array {
  const weights = new Float64Array(source.length)
  weights.set(source.subarray(first, end), first)
  return weights
}

const addWeights = (into: Float64Array, more: Float64Array) => {
  for (let day = 0; day < into.length; day++) into[day] = (into[day] ?? 0) + (more[day] ?? 0)
}

/** Own energies of the given holders, by producer. */
function listOwnParts(
  { own }: SpreadContext,
  windows: readonly MembershipWindow[],
  suits: (layer: EnergyLayer) => boolean,
): SpreadPart[] {
  return windows.flatMap((window) => {
    const producers = Map.groupBy((own.get(window.holder) ?? []).filter(suits), ({ producer }) => producer)
    return [...producers].map(([producer, layers]) => {
      const weights = new Float64Array(layers[0]?.weights.length ?? 0)
      for (const layer of layers) addWeights(weights, keepWindow(layer.weights, window))
      return { holder: window.holder, producer, weights }
    })
  })
}

/** The energy of all members from each producer on each day; computed on first use. */
function createProducerTotals(
  own: ReadonlyMap<string, readonly EnergyLayer[]>,
): () => ReadonlyMap<string, Float64Array> {
  let totals: Map<string, Float64Array> | undefined
  return () => {
    if (totals) return totals
    totals = new Map()
    for (const { producer, weights } of [...own.values()].flat()) {
      const total = totals.get(producer)
      if (total) addWeights(total, weights)
      else totals.set(producer, weights.slice())
    }
    return totals
  }
}

const listNeighbourParts = ({ totals }: SpreadContext, windows: readonly MembershipWindow[]): SpreadPart[] =>
  windows.flatMap((window) =>
    [...totals()].map(([producer, weights]) => ({
      holder: window.holder,
      producer,
      weights: keepWindow(weights, window),
    })),
  )

function listEqualParts({ input, period }: SpreadContext, windows: readonly MembershipWindow[]): SpreadPart[] {
  const ones = new Float64Array(daysBetween(period.from, period.to)).fill(1)
  return windows.flatMap((window) =>
    input.producers.map(({ id }) => ({ holder: window.holder, producer: id, weights: keepWindow(ones, window) })),
  )
}

const sumWeights = (parts: readonly SpreadPart[]): number =>
  parts.reduce((sum, { weights }) => sum + weights.reduce((total, weight) => total + weight, 0), 0)

/**
 * Divides in proportion to our energies of the point and class; without any, of the point; of all members; else in
 * equal parts.
 */
function distributeRow(spreading: SpreadContext): MonthNotice[] {
  const { row, layers } = spreading
  if (row.wh === 0) return []
  const told = { prm: row.prm, class: row.class, wh: row.wh, from: row.from, to: row.to }
  const windows = listWindows(spreading)
  if (windows.length === 0) return [{ code: 'rowOutsideMembership', ...told }]
  const levels = [
    () => listOwnParts(spreading, windows, (layer) => layer.class === row.class),
    () => listOwnParts(spreading, windows, () => true),
    () => listNeighbourParts(spreading, windows),
    () => listEqualParts(spreading, windows),
  ]
  for (const [at, partsOf] of levels.entries()) {
    const parts = partsOf()
    const total = sumWeights(parts)
    if (total === 0) continue
    for (const { holder, producer, weights } of parts)
      layers.get(holder)?.push({ producer, class: row.class, weights, num: BigInt(row.wh) * 60n, den: BigInt(total) })
    const level = at + 1
    return level === 2 || level === 3 || level === 4 ? [{ code: 'spreadLevel', level, ...told }] : []
  }
  return []
}
