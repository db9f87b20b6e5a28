import type { Allowance } from '../documents/allowances.ts'
import { type Document, sum } from '../documents/document.ts'
import { type Line, lineName, samePrint } from '../documents/lines.ts'
import { groupName, groupOrder, type VatGroup } from '../documents/vat.ts'

export type Figures = { readonly net: number; readonly tax: number; readonly gross: number }
export type CorrectedLine = Line & { readonly role: 'cancel' | 'replace' }
export type CorrectedAllowance = Pick<Allowance, 'id' | 'amount' | 'category' | 'rate'>

export type Pair = Pick<Document, 'seller' | 'buyer' | 'apart'>
/** What changed between what stands issued and the clean recomputation, signed as the buyer owes it. */
export type Change = Pair & {
  lines: readonly CorrectedLine[]
  allowances: readonly CorrectedAllowance[]
  vat: readonly VatGroup[]
  delta: Figures
}

export const negative = (value: number) => 0 - value

export function withSign<T extends Line>(line: T, sign: 1 | -1): T {
  if (sign === 1) return line
  const net = negative(line.net)
  return line.kind === 'fee' ? { ...line, net } : { ...line, net, wh: negative(line.wh) }
}

/** Each changed line twice: taken back as it was, and put as it is. */
function changedLines(old: readonly Line[], now: readonly Line[]): CorrectedLine[] {
  const before = new Map(old.map((line) => [lineName(line), line]))
  const after = new Map(now.map((line) => [lineName(line), line]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): CorrectedLine[] => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was && is && samePrint(was, is)) return []
    return [
      ...(was ? [{ ...withSign(was, -1), role: 'cancel' as const }] : []),
      ...(is ? [{ ...is, role: 'replace' as const }] : []),
    ]
  })
}

function changedAllowances(old: readonly Allowance[], now: readonly Allowance[]): CorrectedAllowance[] {
  const nameOf = (each: Allowance) => JSON.stringify([each.id, groupName(each)])
  const [before, after] = [Map.groupBy(old, nameOf), Map.groupBy(now, nameOf)]
  const total = (group: readonly Allowance[] | undefined) => sum((group ?? []).map(({ amount }) => amount))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [first] = after.get(name) ?? before.get(name) ?? []
    const amount = total(after.get(name)) - total(before.get(name))
    return first && amount !== 0 ? [{ id: first.id, amount, category: first.category, rate: first.rate }] : []
  })
}

/** New less all that is issued, in each group: rate × Δ may differ by a cent, the sum of documents may not. */
function vatByDifference(old: readonly VatGroup[], now: readonly VatGroup[]): VatGroup[] {
  const groups = Map.groupBy(
    [...old.map((group) => ({ group, sign: -1 })), ...now.map((group) => ({ group, sign: 1 }))],
    ({ group }) => groupName(group),
  )
  return [...groups.values()]
    .flatMap((parts) => {
      const [first] = parts
      if (!first) return []
      const { category, rate } = first.group
      const base = sum(parts.map(({ group, sign }) => sign * group.base))
      const tax = sum(parts.map(({ group, sign }) => sign * group.tax))
      return base === 0 && tax === 0 ? [] : [{ category, rate, base, tax }]
    })
    .sort(groupOrder)
}

export function changeOf(pair: Pair, old: Document | undefined, now: Document | undefined): Change {
  const vat = vatByDifference(old?.vat ?? [], now?.vat ?? [])
  const net = sum(vat.map(({ base }) => base))
  const tax = sum(vat.map((group) => group.tax))
  return {
    ...pair,
    lines: changedLines(old?.lines ?? [], now?.lines ?? []),
    allowances: changedAllowances(old?.allowances ?? [], now?.allowances ?? []),
    vat,
    delta: { net, tax, gross: net + tax },
  }
}
