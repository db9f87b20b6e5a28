import type { ReportRow } from '@voisol/contract/declarations'
import { amount, decimal } from './decimals.ts'
import { element } from './xml.ts'

/** Sales to persons, an element for each day, category and rate. */
export function reportXml({ siren, name }: { siren: string; name: string }, rows: readonly ReportRow[]): string {
  const seller = element('Seller', [element('SIREN', siren), element('Name', name)])
  const transactions = rows.map((row) =>
    element('Transaction', [
      element('Date', row.day),
      element('CategoryCode', row.code),
      element('TaxRate', decimal(row.rate, 2)),
      element('TaxExclusiveAmount', amount(row.base), { currency: 'EUR' }),
      element('TaxTotal', amount(row.tax), { currency: 'EUR' }),
      element('TransactionsCount', String(row.documents)),
    ]),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('Report', [seller, ...transactions]).markup}\n`
}
