import { useQuery } from '@tanstack/react-query'
import { billing } from '@voisol/contract/billing'
import type {
  DraftDocument,
  MonthDifference,
  MonthPreview,
  MonthSums,
  OpenDocument,
} from '@voisol/contract/billing-documents'
import { ENERGY_SOURCE_LABELS } from '@voisol/contract/money'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import {
  formatBilledKwh,
  formatBillingMonth,
  formatInvoicePeriod,
  formatSignedMoney,
  getPreviousMonth,
  MONTH_DIFFERENCE_CAUSES,
  sumMonthDifference,
} from '../../../lib/billing-labels.ts'
import { formatCount, formatMoney, formatNumber } from '../../../lib/format.ts'
import { formatPrice } from '../../../lib/price.ts'
import { query } from '../../../lib/queries.ts'

type DocumentRow = DraftDocument & { id: string }
export type OperationMonth = { operationId: string; month: string }
type MonthOptions = { acceptLastIndex?: 'true' }

/** Enough to look at; the step after it stays in reach. */
const VISIBLE_DOCUMENTS = 20

const softTextClass = 'block text-[0.8125rem] text-ink-soft'
const columns: Column<DocumentRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller, kind, apart }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{buyer.name}</span>
        <span className={softTextClass}>
          {seller.name}
          {apart && ', frais hors TVA'}
        </span>
        {kind === 'statement' && (
          <span className="mt-1 block">
            <Badge>Relevé</Badge>
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'Énergie',
    align: 'end',
    card: 'primary',
    cell: ({ wh, lines }) => (
      <span className="whitespace-nowrap">
        {wh > 0 ? formatBilledKwh(wh) : 'Frais seuls'}
        <span className={softTextClass}>{formatCount(lines, 'ligne')}</span>
      </span>
    ),
  },
  { header: 'HT', align: 'end', card: 'none', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', align: 'end', card: 'none', cell: ({ tax }) => formatMoney(tax) },
  {
    header: 'TTC',
    align: 'end',
    card: 'primary',
    cell: ({ gross }) => <span className="font-medium">{formatMoney(gross)}</span>,
  },
  {
    header: 'Écart HT',
    align: 'end',
    card: 'primary',
    cell: ({ difference }) => (difference ? formatSignedMoney(sumMonthDifference(difference)) : '–'),
  },
]

type MonthPreviewProps = { params: OperationMonth; choices: MonthOptions; closed: boolean }

/** Every document of the month, as it would be issued or was closed. */
export function MonthPreviewSection({ params, choices, closed }: MonthPreviewProps) {
  const { data, error, refetch } = useQuery({
    ...query(billing.preview, { params, query: choices }),
    staleTime: closed ? Number.POSITIVE_INFINITY : 0,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-72 w-full" />
  const { totals } = data
  return (
    <section aria-label="Prévisualiser" className="grid gap-5 [&>*]:min-w-0">
      <Card
        title={closed ? 'Documents du mois' : 'Prévisualiser'}
        description={`${formatCount(totals.documents, 'document')}, ${formatBilledKwh(totals.wh)}, ${formatMoney(totals.net)} HT, ${formatMoney(totals.tax)} de TVA, ${formatMoney(totals.gross)} TTC.`}
      >
        <div className="grid gap-6 xl:grid-cols-2 [&>*]:min-w-0">
          <MonthDifferenceSection month={params.month} preview={data} />
          <ControlTotals sums={data.sums} />
        </div>
      </Card>
      <DocumentTable preview={data} params={params} choices={choices} />
    </section>
  )
}

function DocumentTable({
  preview,
  params,
  choices,
}: {
  preview: MonthPreview
  params: OperationMonth
  choices: MonthOptions
}) {
  const rows = preview.documents.map((document): DocumentRow => {
    const { seller, buyer, apart } = document
    return { ...document, id: `${seller.id} ${buyer.id} ${apart}` }
  })
  const [whole, setWhole] = useState(false)
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      <Table
        label="Documents du mois"
        rows={whole ? rows : rows.slice(0, VISIBLE_DOCUMENTS)}
        columns={columns}
        detail={{
          label: ({ buyer, seller }) => `Ouvrir le document de ${buyer.name}, vendu par ${seller.name}`,
          content: (row) => <OpenedDocument params={params} choices={choices} document={row} />,
        }}
      />
      {!whole && rows.length > VISIBLE_DOCUMENTS && (
        <p>
          <Button variant="secondary" onClick={() => setWhole(true)}>
            Afficher les {formatNumber(rows.length)} documents
          </Button>
        </p>
      )}
    </div>
  )
}

const TotalLine = ({ label, children }: { label: string; children: string }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="min-w-0 text-ink-soft">{label}</dt>
    <dd className="tabular shrink-0 font-medium">{children}</dd>
  </div>
)

/** What must be equal, counted each in its own way; the distributor's kWh and ours are never hidden behind one another. */
function ControlTotals({ sums }: { sums: MonthSums }) {
  const totalsMatch = sums.linesWh === sums.membersWh && sums.membersWh === sums.operationWh
  const differenceWh = sums.distributorWh - sums.oursForThemWh
  const Icon = totalsMatch ? Check : X
  return (
    <section className="grid content-start gap-2">
      <h3 className="flex items-center gap-1.5 text-body font-medium">
        <Icon aria-hidden="true" className={`size-4 ${totalsMatch ? 'text-success' : 'text-danger'}`} />
        {totalsMatch ? 'Les sommes tombent juste' : 'Les sommes ne tombent pas juste'}
      </h3>
      <dl className="grid gap-1.5 text-body">
        <TotalLine label="Somme des lignes">{formatBilledKwh(sums.linesWh)}</TotalLine>
        <TotalLine label="Somme des participants">{formatBilledKwh(sums.membersWh)}</TotalLine>
        <TotalLine label="Total de l’opération">{formatBilledKwh(sums.operationWh)}</TotalLine>
        {sums.distributorWh > 0 && (
          <>
            <TotalLine label="Dont facturé sur les quantités du distributeur">
              {formatBilledKwh(sums.distributorWh)}
            </TotalLine>
            <TotalLine label="Notre calcul pour les mêmes compteurs">{formatBilledKwh(sums.oursForThemWh)}</TotalLine>
            <TotalLine label="Écart">{`${differenceWh > 0 ? '+' : ''}${formatBilledKwh(differenceWh)}`}</TotalLine>
          </>
        )}
        {sums.oursWh > 0 && <TotalLine label="Facturé sur nos calculs">{formatBilledKwh(sums.oursWh)}</TotalLine>}
      </dl>
    </section>
  )
}

/** Why the month is not the last one: causes that sum to the difference, to the cent. */
function MonthDifferenceSection({ month, preview }: { month: string; preview: MonthPreview }) {
  const last = formatBillingMonth(getPreviousMonth(month))
  const { difference, before } = preview
  if (!difference || !before)
    return (
      <section className="grid content-start gap-1">
        <h3 className="text-body font-medium">Écart avec {last}</h3>
        <p className="text-body text-ink-soft">Ce mois-là ne se calcule pas encore&nbsp;: rien à quoi comparer.</p>
      </section>
    )
  const changedCauses = MONTH_DIFFERENCE_CAUSES.filter(({ name }) => difference[name] !== 0)
  return (
    <section className="grid content-start gap-2">
      <h3 className="text-body font-medium">
        Écart avec {last}&nbsp;: {formatSignedMoney(sumMonthDifference(difference))} HT
      </h3>
      <p className="text-[0.8125rem] text-ink-soft">
        De {formatMoney(before.net)} à {formatMoney(preview.totals.net)}
        {changedCauses.length === 0 && ', sans aucune cause à dire'}.
      </p>
      <dl className="grid gap-1.5 text-body">
        {changedCauses.map(({ name, label, words }) => (
          <div key={name} className="flex items-baseline justify-between gap-4">
            <dt className="min-w-0">
              {label} <span className="text-[0.8125rem] text-ink-soft">— {words}</span>
            </dt>
            <dd className="tabular shrink-0 font-medium">{formatSignedMoney(difference[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

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
function OpenedDocument({ params, choices, document }: OpenedDocumentProps) {
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

/** In one sentence why a document differs from the month before. */
function DifferenceCauses({ difference, before }: { difference: MonthDifference; before: number }) {
  const changedCauses = MONTH_DIFFERENCE_CAUSES.filter(({ name }) => difference[name] !== 0)
  const whole = sumMonthDifference(difference)
  if (changedCauses.length === 0) return <p className="text-[0.8125rem] text-ink-soft">Comme le mois précédent.</p>
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {formatMoney(before)} HT le mois précédent, {formatSignedMoney(whole)} ce mois-ci&nbsp;:{' '}
      {changedCauses
        .map(({ name, label }) => `${label.toLowerCase()} ${formatSignedMoney(difference[name])}`)
        .join(', ')}
      .
    </p>
  )
}

type LineDay = OpenDocument['lines'][number]['days'][number]

/** A fraction of watt-minutes as watt-hours, for a picture: the exact figure stays on the server's side. */
const parseWattHours = (wattMinutes: string) => {
  const [num = '0', den = '1'] = wattMinutes.split('/')
  return Number(num) / Number(den) / 60
}
const DAY_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** The days a line is made of, one bar each. */
function DraftLineDays({ days, wattMinutes }: { days: LineDay[]; wattMinutes: string }) {
  const byDay = [...Map.groupBy(days, ({ day }) => day)].map(([day, own]) => ({
    day,
    wh: own.reduce((sum, each) => sum + parseWattHours(each.wattMinutes), 0),
  }))
  const most = Math.max(1, ...byDay.map(({ wh }) => wh))
  return (
    <details className="text-[0.8125rem]">
      <summary className="min-h-6 cursor-pointer text-ink-soft hover:text-ink">Ouvrir ses jours</summary>
      <ul className="mt-2 grid gap-1">
        {byDay.map(({ day, wh }) => (
          <li key={day} className="grid grid-cols-[6.5rem_minmax(0,1fr)_6.5rem] items-center gap-3">
            <span>{DAY_FORMAT.format(new Date(`${day}T12:00:00Z`))}</span>
            <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-100">
              <span className="block h-full rounded-full bg-local" style={{ width: `${(wh / most) * 100}%` }} />
            </span>
            <span className="tabular text-right">{formatNumber(wh / 1000, 3)}&nbsp;kWh</span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-ink-soft">
        {wattMinutes.includes('/')
          ? 'Ensemble, ces jours font exactement l’énergie de la ligne, avant son seul arrondi.'
          : `Ensemble, ces jours font exactement ${formatNumber(Number(wattMinutes))} watt-minutes, avant le seul arrondi de la ligne.`}
      </p>
    </details>
  )
}
