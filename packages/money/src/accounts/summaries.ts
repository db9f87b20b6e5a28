import { type Document, type IssuedKind, signOf } from '../documents/document.ts'
import type { Line } from '../documents/lines.ts'
import { basesOf, groupName, groupOrder, type VatGroup } from '../documents/vat.ts'

type Summed = { readonly kind: IssuedKind; readonly vat: readonly VatGroup[] }

/** Σ of the groups of documents by category and rate: never a tax computed again from a sum. */
export function vatSummary(documents: readonly Summed[]): VatGroup[] {
  const groups = documents.flatMap(({ kind, vat }) => vat.map((group) => ({ group, sign: signOf(kind) })))
  const taxes = Map.groupBy(groups, ({ group }) => groupName(group))
  return basesOf(
    groups.map(({ group, sign }) => ({ category: group.category, rate: group.rate, amount: sign * group.base })),
  )
    .map((base) => ({
      ...base,
      tax: (taxes.get(groupName(base)) ?? []).reduce((sum, { group, sign }) => sum + sign * group.tax, 0),
    }))
    .sort(groupOrder)
}

export type AcciseRow = { acciseClass: string | null; centsPerMwh: number | null; wh: number; cents: number }

/** Energy by consumer's class and rate, and under no class what bears the zero rate. */
export function acciseSummary(documents: readonly { kind: IssuedKind; lines: Document['lines'] }[]): AcciseRow[] {
  const rows = new Map<string, AcciseRow>()
  const add = (row: AcciseRow) => {
    const name = JSON.stringify([row.acciseClass, row.centsPerMwh])
    const known = rows.get(name)
    rows.set(name, known ? { ...known, wh: known.wh + row.wh, cents: known.cents + row.cents } : row)
  }
  for (const { kind, lines } of documents)
    for (const line of lines) {
      const row = acciseRow(line, signOf(kind))
      if (row) add(row)
    }
  return [...rows.values()]
}

function acciseRow(line: Line, sign: 1 | -1): AcciseRow | undefined {
  if (line.kind === 'accise')
    return { acciseClass: line.acciseClass, centsPerMwh: line.centsPerMwh, wh: sign * line.wh, cents: sign * line.net }
  if (line.kind === 'energy' && !line.liable)
    return { acciseClass: null, centsPerMwh: null, wh: sign * line.wh, cents: 0 }
  return undefined
}
