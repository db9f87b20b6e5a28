import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { DraftDocument, OpenDocument } from '@voisol/contract/billing-documents'
import { ENERGY_SOURCE_LABELS } from '@voisol/contract/money'
import { formatBilledKwh } from '../../lib/billing-labels.ts'
import { formatMoney, formatNumber } from '../../lib/format.ts'
import { formatInvoicePeriod } from '../../lib/invoice-words.ts'
import { formatPrice } from '../../lib/price.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DifferenceCauses } from './causes.tsx'
import { DraftLineDays } from './line-days.tsx'
import type { MonthOptions, OperationMonth } from './preview.tsx'

type OpenedLine = OpenDocument['lines'][number]

/** What the amount of a line is made of, as it can be checked with a calculator. */
function formatCalculation({ line }: OpenedLine): string {
  if (line.kind === 'energy') return `${formatBilledKwh(line.wh)} × ${formatPrice(line.price)}`
  if (line.kind === 'accise') return `${formatBilledKwh(line.wh)} × ${formatMoney(line.centsPerMwh)}/MWh`
  if (line.kind === 'fee') return `${formatMoney(line.amount)}, au prorata des jours`
  return ''
}

function OpenedLineItem({ opened }: { opened: OpenedLine }) {
  const { line, days } = opened
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="min-w-0">
          <span className="font-medium">{line.label}</span>
          <span className="block text-[0.8125rem] text-ink-soft">
            {formatInvoicePeriod(line)}
            {line.prm && ` · PRM ${line.prm}`}
            {line.kind === 'energy' && ` · ${ENERGY_SOURCE_LABELS[line.source]}`}
          </span>
        </span>
        <span className="tabular text-right">
          <span className="block font-medium">{formatMoney(line.net)}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{formatCalculation(opened)}</span>
        </span>
      </div>
      {line.kind === 'energy' && <DraftLineDays days={days} wattMinutes={line.wattMinutes} />}
    </li>
  )
}

type OpenedDocumentProps = { params: OperationMonth; choices: MonthOptions; document: DraftDocument }

/** One document before it is issued: lines that open to their days, allowances, tax. */
export function OpenedDocument({ params, choices, document }: OpenedDocumentProps) {
  const documentRef = {
    seller: document.seller.id,
    buyer: document.buyer.id,
    apart: document.apart ? 'true' : 'false',
  } as const
  const { data, error, refetch } = useQuery(query(billing.document, { params, query: { ...choices, ...documentRef } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  return (
    <div className="grid gap-3 text-body">
      {document.difference && <DifferenceCauses difference={document.difference} before={document.before ?? 0} />}
      <ul className="divide-y divide-line">
        {data.lines.map((opened) => (
          <OpenedLineItem
            key={JSON.stringify([
              opened.line.kind,
              opened.line.member,
              opened.line.from,
              opened.line.rule,
              opened.line.liable,
            ])}
            opened={opened}
          />
        ))}
        {data.allowances.map(({ allowance }) => (
          <li key={allowance.id} className="flex justify-between gap-6 py-3">
            <span>{allowance.label}</span>
            <span className="tabular font-medium">−{formatMoney(allowance.amount)}</span>
          </li>
        ))}
        {data.vat.map(({ category, rate, base, tax }) => (
          <li key={`${category} ${rate}`} className="flex justify-between gap-6 py-3">
            <span>
              {category === 'S'
                ? `TVA ${formatNumber(rate / 100)}\u00a0% sur ${formatMoney(base)}`
                : `Sans TVA sur ${formatMoney(base)}`}
            </span>
            <span className="tabular font-medium">{formatMoney(tax)}</span>
          </li>
        ))}
        <li className="flex justify-between gap-6 py-3 font-medium">
          <span>Total TTC</span>
          <span className="tabular">{formatMoney(data.totals.gross)}</span>
        </li>
      </ul>
    </div>
  )
}
