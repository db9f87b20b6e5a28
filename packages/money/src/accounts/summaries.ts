import { type BillingDocument, getDocumentSign, type IssuedKind } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import { compareVatGroups, computeVatBases, getVatGroupKey, type VatGroup } from '../documents/vat.ts'

type VatDocument = { readonly kind: IssuedKind; readonly vat: readonly VatGroup[] }

/** Σ of the groups of documents by category and rate: tax is never computed again from a sum. */
export function summarizeVat(documents: readonly VatDocument[]): VatGroup[] {
  const groups = documents.flatMap(({ kind, vat }) => vat.map((group) => ({ group, sign: getDocumentSign(kind) })))
  const taxes = Map.groupBy(groups, ({ group }) => getVatGroupKey(group))
  return computeVatBases(
    groups.map(({ group, sign }) => ({ category: group.category, rate: group.rate, amount: sign * group.base })),
  )
    .map((base) => ({
      ...base,
      tax: (taxes.get(getVatGroupKey(base)) ?? []).reduce((sum, { group, sign }) => sum + sign * group.tax, 0),
    }))
    .sort(compareVatGroups)
}

export type AcciseSummaryRow = { acciseClass: string | null; centsPerMwh: number | null; wh: number; cents: number }

/** Energy by class of the consumer and rate; zero-rated energy has no class. */
export function summarizeAccise(
  documents: readonly { kind: IssuedKind; lines: BillingDocument['lines'] }[],
): AcciseSummaryRow[] {
  const rows = new Map<string, AcciseSummaryRow>()
  const add = (row: AcciseSummaryRow) => {
    const name = JSON.stringify([row.acciseClass, row.centsPerMwh])
    const known = rows.get(name)
    rows.set(name, known ? { ...known, wh: known.wh + row.wh, cents: known.cents + row.cents } : row)
  }
  for (const { kind, lines } of documents)
    for (const line of lines) {
      const row = toAcciseRow(line, getDocumentSign(kind))
      if (row) add(row)
    }
  return [...rows.values()]
}

function toAcciseRow(line: DocumentLine, sign: 1 | -1): AcciseSummaryRow | undefined {
  if (line.kind === 'accise')
    return { acciseClass: line.acciseClass, centsPerMwh: line.centsPerMwh, wh: sign * line.wh, cents: sign * line.net }
  if (line.kind === 'energy' && !line.liable)
    return { acciseClass: null, centsPerMwh: null, wh: sign * line.wh, cents: 0 }
  return undefined
}
