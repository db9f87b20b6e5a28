import type { ReportRow } from '@voisol/contract/declarations'
import { formatAmount, formatDecimal } from './number-and-date-formats.ts'
import { buildElement } from './write-xml.ts'

/** Sales to private persons, one element for each day, category and rate. */
export function buildEReportingXml(
  { siren, name }: { siren: string; name: string },
  rows: readonly ReportRow[],
): string {
  const seller = buildElement('Seller', [buildElement('SIREN', siren), buildElement('Name', name)])
  const transactions = rows.map((row) =>
    buildElement('Transaction', [
      buildElement('Date', row.day),
      buildElement('CategoryCode', row.code),
      buildElement('TaxRate', formatDecimal(row.rate, 2)),
      buildElement('TaxExclusiveAmount', formatAmount(row.base), { currency: 'EUR' }),
      buildElement('TaxTotal', formatAmount(row.tax), { currency: 'EUR' }),
      buildElement('TransactionsCount', String(row.documents)),
    ]),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${buildElement('Report', [seller, ...transactions]).markup}\n`
}
