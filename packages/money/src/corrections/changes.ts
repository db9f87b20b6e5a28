import type { Allowance } from '../documents/allowances.ts'
import { type BillingDocument, sumFigures } from '../documents/document.ts'
import { arePrintedAlike, type DocumentLine, getLineKey } from '../documents/lines.ts'
import { compareVatGroups, getVatGroupKey, type VatGroup } from '../documents/vat.ts'

export type CorrectionTotals = { readonly net: number; readonly tax: number; readonly gross: number }
export type CorrectedLine = DocumentLine & { readonly role: 'cancel' | 'replace' }
export type CorrectedAllowance = Pick<Allowance, 'id' | 'amount' | 'category' | 'rate'>

export type DocumentParties = Pick<BillingDocument, 'seller' | 'buyer' | 'apart'>
/**
 * The change between what is currently issued and the clean recomputation, signed from the side of the buyer's debt.
 */
export type DocumentChange = DocumentParties & {
  lines: readonly CorrectedLine[]
  allowances: readonly CorrectedAllowance[]
  vat: readonly VatGroup[]
  delta: CorrectionTotals
}

export const negate = (value: number) => 0 - value

export function applySign<T extends DocumentLine>(line: T, sign: 1 | -1): T {
  if (sign === 1) return line
  const net = negate(line.net)
  return line.kind === 'fee' ? { ...line, net } : { ...line, net, wh: negate(line.wh) }
}

/** Each changed line twice: reversed as it was, then added as it is now. */
function listChangedLines(old: readonly DocumentLine[], now: readonly DocumentLine[]): CorrectedLine[] {
  const before = new Map(old.map((line) => [getLineKey(line), line]))
  const after = new Map(now.map((line) => [getLineKey(line), line]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): CorrectedLine[] => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was && is && arePrintedAlike(was, is)) return []
    return [
      ...(was ? [{ ...applySign(was, -1), role: 'cancel' as const }] : []),
      ...(is ? [{ ...is, role: 'replace' as const }] : []),
    ]
  })
}

function listChangedAllowances(old: readonly Allowance[], now: readonly Allowance[]): CorrectedAllowance[] {
  const nameOf = (each: Allowance) => JSON.stringify([each.id, getVatGroupKey(each)])
  const [before, after] = [Map.groupBy(old, nameOf), Map.groupBy(now, nameOf)]
  const total = (group: readonly Allowance[] | undefined) => sumFigures((group ?? []).map(({ amount }) => amount))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [first] = after.get(name) ?? before.get(name) ?? []
    const amount = total(after.get(name)) - total(before.get(name))
    return first && amount !== 0 ? [{ id: first.id, amount, category: first.category, rate: first.rate }] : []
  })
}

/** New tax less all issued tax, in each group: rate × Δ may differ by a cent, the sum of documents may not. */
function computeVatDifference(old: readonly VatGroup[], now: readonly VatGroup[]): VatGroup[] {
  const groups = Map.groupBy(
    [...old.map((group) => ({ group, sign: -1 })), ...now.map((group) => ({ group, sign: 1 }))],
    ({ group }) => getVatGroupKey(group),
  )
  return [...groups.values()]
    .flatMap((parts) => {
      const [first] = parts
      if (!first) return []
      const { category, rate } = first.group
      const base = sumFigures(parts.map(({ group, sign }) => sign * group.base))
      const tax = sumFigures(parts.map(({ group, sign }) => sign * group.tax))
      return base === 0 && tax === 0 ? [] : [{ category, rate, base, tax }]
    })
    .sort(compareVatGroups)
}

export function computeDocumentChange(
  pair: DocumentParties,
  old: BillingDocument | undefined,
  now: BillingDocument | undefined,
): DocumentChange {
  const vat = computeVatDifference(old?.vat ?? [], now?.vat ?? [])
  const net = sumFigures(vat.map(({ base }) => base))
  const tax = sumFigures(vat.map((group) => group.tax))
  return {
    ...pair,
    lines: listChangedLines(old?.lines ?? [], now?.lines ?? []),
    allowances: listChangedAllowances(old?.allowances ?? [], now?.allowances ?? []),
    vat,
    delta: { net, tax, gross: net + tax },
  }
}
