import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type { DraftDocument, OpenDocument } from '@voisol/contract/billing-documents'
import { SOURCE_WORDS } from '@voisol/contract/money'
import { billedKwh } from '../../lib/billing-labels.ts'
import { money, number } from '../../lib/format.ts'
import { periodLabel } from '../../lib/invoice-words.ts'
import { price } from '../../lib/price.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DifferenceCauses } from './causes.tsx'
import { LineDays } from './line-days.tsx'
import type { Choices, Place } from './preview.tsx'

type Opened = OpenDocument['lines'][number]

/** What the amount of a line is made of, as it can be checked with a calculator. */
function sumOf({ line }: Opened): string {
  if (line.kind === 'energy') return `${billedKwh(line.wh)} × ${price(line.price)}`
  if (line.kind === 'accise') return `${billedKwh(line.wh)} × ${money(line.centsPerMwh)}/MWh`
  if (line.kind === 'fee') return `${money(line.amount)}, au prorata des jours`
  return ''
}

function OpenLine({ opened }: { opened: Opened }) {
  const { line, days } = opened
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="min-w-0">
          <span className="font-medium">{line.label}</span>
          <span className="block text-[0.8125rem] text-ink-soft">
            {periodLabel(line)}
            {line.prm && ` · PRM ${line.prm}`}
            {line.kind === 'energy' && ` · ${SOURCE_WORDS[line.source]}`}
          </span>
        </span>
        <span className="tabular text-right">
          <span className="block font-medium">{money(line.net)}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{sumOf(opened)}</span>
        </span>
      </div>
      {line.kind === 'energy' && <LineDays days={days} wattMinutes={line.wattMinutes} />}
    </li>
  )
}

type DocumentProps = { params: Place; choices: Choices; document: DraftDocument }

/** One document before it is issued: lines that open to their days, allowances, tax. */
export function OpenedDocument({ params, choices, document }: DocumentProps) {
  const chosen = {
    seller: document.seller.id,
    buyer: document.buyer.id,
    apart: document.apart ? 'true' : 'false',
  } as const
  const { data, error, refetch } = useQuery(query(billing.document, { params, query: { ...choices, ...chosen } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  return (
    <div className="grid gap-3 text-body">
      {document.difference && <DifferenceCauses difference={document.difference} before={document.before ?? 0} />}
      <ul className="divide-y divide-line">
        {data.lines.map((opened) => (
          <OpenLine
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
            <span className="tabular font-medium">−{money(allowance.amount)}</span>
          </li>
        ))}
        {data.vat.map(({ category, rate, base, tax }) => (
          <li key={`${category} ${rate}`} className="flex justify-between gap-6 py-3">
            <span>
              {category === 'S' ? `TVA ${number(rate / 100)}\u00a0% sur ${money(base)}` : `Sans TVA sur ${money(base)}`}
            </span>
            <span className="tabular font-medium">{money(tax)}</span>
          </li>
        ))}
        <li className="flex justify-between gap-6 py-3 font-medium">
          <span>Total TTC</span>
          <span className="tabular">{money(data.totals.gross)}</span>
        </li>
      </ul>
    </div>
  )
}
