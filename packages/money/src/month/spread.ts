import { clip, daysBetween, type Period } from '../calendar/days.ts'
import type { DistributorRow, Member, MonthInput } from './input.ts'
import type { Notice } from './issues.ts'

/**
 * Energy of one producer and class by day of the month: weight × num / den watt-minutes, exactly. Our own cells are
 * whole weights over one; a row of the distributor shares its quantity (num) over the sum of its weights (den).
 */
export type Layer = { producer: string; class: string; weights: Float64Array; num: bigint; den: bigint }
/** What the row is spread over: holder, producer, and the weight of each day. */
type Part = { holder: string; producer: string; weights: Float64Array }

type Spreading = {
  row: DistributorRow
  holders: readonly Member[]
  /** Our own cells of every member. */
  own: ReadonlyMap<string, readonly Layer[]>
  /** By producer, what all members had on each day. */
  totals: () => ReadonlyMap<string, Float64Array>
  /** Where what was spread is put. */
  layers: Map<string, Layer[]>
  input: MonthInput
  period: Period
}
type Window = { holder: string; first: number; end: number }

/** The days of the row at which each holder was there. */
function windowsOf({ row, holders, period }: Spreading): Window[] {
  return holders.flatMap((member) => {
    const days = clip(row, period, member)
    if (!days) return []
    return [{ holder: member.id, first: daysBetween(period.from, days.from), end: daysBetween(period.from, days.to) }]
  })
}

function within(source: Float64Array, { first, end }: Window): Float64Array {
  const weights = new Float64Array(source.length)
  weights.set(source.subarray(first, end), first)
  return weights
}

const add = (into: Float64Array, more: Float64Array) => {
  for (let day = 0; day < into.length; day++) into[day] = (into[day] ?? 0) + (more[day] ?? 0)
}

/** Cells of the holders that are asked for, by producer. */
function ownParts({ own }: Spreading, windows: readonly Window[], suits: (layer: Layer) => boolean): Part[] {
  return windows.flatMap((window) => {
    const producers = Map.groupBy((own.get(window.holder) ?? []).filter(suits), ({ producer }) => producer)
    return [...producers].map(([producer, layers]) => {
      const weights = new Float64Array(layers[0]?.weights.length ?? 0)
      for (const layer of layers) add(weights, within(layer.weights, window))
      return { holder: window.holder, producer, weights }
    })
  })
}

/** What all members had from each producer on each day; summed when first asked for. */
export function totalsOf(own: ReadonlyMap<string, readonly Layer[]>): () => ReadonlyMap<string, Float64Array> {
  let totals: Map<string, Float64Array> | undefined
  return () => {
    if (totals) return totals
    totals = new Map()
    for (const { producer, weights } of [...own.values()].flat()) {
      const total = totals.get(producer)
      if (total) add(total, weights)
      else totals.set(producer, weights.slice())
    }
    return totals
  }
}

const neighbourParts = ({ totals }: Spreading, windows: readonly Window[]): Part[] =>
  windows.flatMap((window) =>
    [...totals()].map(([producer, weights]) => ({ holder: window.holder, producer, weights: within(weights, window) })),
  )

function equalParts({ input, period }: Spreading, windows: readonly Window[]): Part[] {
  const ones = new Float64Array(daysBetween(period.from, period.to)).fill(1)
  return windows.flatMap((window) =>
    input.producers.map(({ id }) => ({ holder: window.holder, producer: id, weights: within(ones, window) })),
  )
}

const totalOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { weights }) => sum + weights.reduce((total, weight) => total + weight, 0), 0)

/** In proportion to our cells of the point and class; without any, of the point; of all members; else in equal parts. */
export function spreadRow(spreading: Spreading): Notice[] {
  const { row, layers } = spreading
  if (row.wh === 0) return []
  const told = { prm: row.prm, class: row.class, wh: row.wh, from: row.from, to: row.to }
  const windows = windowsOf(spreading)
  if (windows.length === 0) return [{ code: 'rowOutsideMembership', ...told }]
  const levels = [
    () => ownParts(spreading, windows, (layer) => layer.class === row.class),
    () => ownParts(spreading, windows, () => true),
    () => neighbourParts(spreading, windows),
    () => equalParts(spreading, windows),
  ]
  for (const [at, partsOf] of levels.entries()) {
    const parts = partsOf()
    const total = totalOf(parts)
    if (total === 0) continue
    for (const { holder, producer, weights } of parts)
      layers.get(holder)?.push({ producer, class: row.class, weights, num: BigInt(row.wh) * 60n, den: BigInt(total) })
    const level = at + 1
    return level === 2 || level === 3 || level === 4 ? [{ code: 'spreadLevel', level, ...told }] : []
  }
  return []
}
