import { useQuery } from '@tanstack/react-query'
import { INSIGHT_RULES, INSIGHT_STATES } from '@voisol/contract/insight-rules'
import {
  type Evidence,
  type Insight,
  type InsightState,
  insights,
  type Evidence as Numbers,
} from '@voisol/contract/insights'
import { Suspense, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, cardClass, FactList, Figure } from '../../../components/card.tsx'
import { ChartFrame } from '../../../components/chart/chart-frame.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import {
  formatCount,
  formatDate,
  formatEnergy,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelativeTime,
} from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatInsightDays } from './insight-days.ts'

type InsightsReply = z.infer<typeof insights.list.response>
const STATE_OPTIONS = Object.entries(INSIGHT_STATES).map(([value, label]) => ({ value, label }))
const isState = (value: string | null): value is InsightState => STATE_OPTIONS.some((state) => state.value === value)

const EMPTY_STATE_TEXTS: Record<InsightState, string> = {
  open: 'Aucune règle n’a rien trouvé à redire dans les dernières courbes connues.',
  accepted: 'Un constat que vous retenez vient ici, jusqu’à ce qu’il ne soit plus vrai.',
  dismissed: 'Un constat que vous écartez vient ici avec sa raison.',
  closed: 'Un constat qui n’est plus vrai se referme de lui-même et vient ici.',
}

/** When each operation was looked at, and what would let more rules speak. */
function WatchedOperations({ looks }: Pick<InsightsReply, 'looks'>) {
  if (!looks.length) return null
  return (
    <Card title="Ce qui est surveillé" description="Chaque nuit, une fois les relevés reçus et répartis.">
      <ul className="divide-y divide-line">
        {looks.map(({ operationId, operationName, lookedAt, missing }) => (
          <li key={operationId} className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
            <span className="flex flex-wrap justify-between gap-x-4">
              <strong className="font-medium">{operationName}</strong>
              <span className="text-ink-soft">
                {lookedAt ? `Regardée ${formatRelativeTime(lookedAt)}` : 'Pas encore regardée'}
              </span>
            </span>
            {missing.length > 0 && <span className="text-ink-soft">Il manque, pour en dire plus&nbsp;:</span>}
            {missing.length > 0 && (
              <ul className="list-disc pl-5 text-ink-soft">
                {missing.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StakesSummary({ items }: Pick<InsightsReply, 'items'>) {
  const priced = items.flatMap(({ cents }) => cents ?? [])
  if (!items.length) return null
  return (
    <p className="text-body text-ink-soft">
      {`${formatCount(items.length, 'constat')}, du plus grand enjeu au plus petit (enjeu × confiance)`}
      {priced.length > 0 &&
        `\u00a0; ${formatMoney(priced.reduce((sum, cents) => sum + cents, 0))} en jeu, sur des périodes qui diffèrent`}
      .
    </p>
  )
}

/** Everything the rules found, the largest stake first. */
export function InsightsPanel() {
  const [search, setSearch] = useSearchParams()
  const stateParam = search.get('etat')
  const state = isState(stateParam) ? stateParam : 'open'
  const { data, error, refetch } = useQuery(query(insights.list, { query: { state } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <FilterChips
        label="État des constats"
        options={STATE_OPTIONS}
        value={state}
        onChange={(value) => setSearch(value && value !== 'open' ? { etat: value } : {}, { preventScrollReset: true })}
      />
      {!data && <Skeleton className="h-96 w-full" />}
      {data && <StakesSummary items={data.items} />}
      {data && data.items.length === 0 && (
        <Card>
          {state === 'open' && data.looks.length === 0 ? (
            <EmptyState
              title="Rien n’est encore surveillé"
              why="Chaque nuit, des règles regardent les courbes des opérations en service."
              action={
                <ButtonLink variant="secondary" to="/acc-operations">
                  Voir les opérations
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState title="Aucun constat" why={EMPTY_STATE_TEXTS[state]} because="all-well" />
          )}
        </Card>
      )}
      {data && data.items.length > 0 && (
        <ul className="grid gap-4">
          {data.items.map((insight) => (
            <InsightCard key={insight.id} insight={insight} />
          ))}
        </ul>
      )}
      {data && <WatchedOperations looks={data.looks} />}
    </div>
  )
}

const DismissInsightDialog = lazy(() => import('./dismiss.tsx'))
const STATE_TONES: Record<Insight['state'], Tone> = {
  open: 'warning',
  accepted: 'info',
  dismissed: 'neutral',
  closed: 'success',
}

const formatStake = ({ cents, wh }: Insight) =>
  cents !== null ? formatMoney(cents) : wh !== null ? formatEnergy(wh) : '–'

const AcceptButton = withAccess(insights.accept, ({ insight }: { insight: Insight }) => {
  const accept = useAction(insights.accept, [insights.list])
  const acceptInsight = () =>
    accept
      .run({ params: { id: insight.id }, body: { version: insight.version } })
      .then(() => toast({ title: 'Constat retenu', variant: 'success' }))
      .catch((error: unknown) =>
        toast({ title: 'Constat non retenu', description: explainError(error), variant: 'destructive' }),
      )
  return (
    <Button size="small" loading={accept.isPending} onClick={acceptInsight}>
      Retenir
    </Button>
  )
})

const DismissButton = withAccess(insights.dismiss, ({ insight }: { insight: Insight }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
        Écarter
      </Button>
      {open && (
        <Suspense fallback={null}>
          <DismissInsightDialog insight={insight} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
})

/** What was said of it, where somebody did. */
const buildDecisionFacts = ({ state, decidedBy, reason, silentUntil, closedAt }: Insight) => [
  ...(decidedBy ? [{ label: state === 'dismissed' ? 'Écarté par' : 'Retenu par', value: decidedBy }] : []),
  ...(reason ? [{ label: 'Raison', value: reason }] : []),
  ...(silentUntil && state === 'dismissed' ? [{ label: 'Silencieux jusqu’au', value: formatDate(silentUntil) }] : []),
  ...(state === 'closed' && closedAt ? [{ label: 'N’est plus constaté depuis le', value: formatDate(closedAt) }] : []),
]

function InsightDetails({ insight, id }: { insight: Insight; id: string }) {
  const { why, formula, evidence, from, to } = insight
  return (
    <div id={id} className="mt-5 grid gap-6 border-line border-t pt-5 [&>*]:min-w-0">
      <FactList
        facts={[
          { label: 'Ce qui a été mesuré', value: why.statistic },
          { label: 'Seuil', value: why.threshold },
          { label: 'Données', value: why.data },
          { label: 'Jours', value: formatInsightDays({ from, to }) },
          { label: 'Calcul de l’enjeu', value: formula },
          ...buildDecisionFacts(insight),
        ]}
      />
      <InsightEvidence evidence={evidence} title={`${INSIGHT_RULES[insight.rule]}\u00a0: les nombres`} />
    </div>
  )
}

/** One finding: the sentence, what it costs, how sure, what to do; its evidence on demand. */
function InsightCard({ insight }: { insight: Insight }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { rule, state, sentence, advice, confidence, operationName } = insight
  const isActive = state === 'open' || state === 'accepted'
  return (
    <li className={cx(cardClass, 'p-5 sm:p-6')}>
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid min-w-0 content-start gap-2">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-ink-soft">
            <Badge tone={STATE_TONES[state]}>{INSIGHT_STATES[state]}</Badge>
            <span>{INSIGHT_RULES[rule]}</span>
            <span>{operationName}</span>
          </p>
          <h2 className="prose-width text-base font-semibold tracking-[-0.01em]">{sentence}</h2>
          <p className="prose-width text-body text-ink-soft">{advice}</p>
        </div>
        <div className="sm:text-right">
          <Figure className="block text-2xl font-semibold tracking-tight">{formatStake(insight)}</Figure>
          <p className="text-[0.8125rem] text-ink-soft">
            {insight.cents === null && insight.wh !== null && 'Prix inconnu · '}
            {`Confiance ${formatPercent(confidence, 0)}`}
          </p>
        </div>
      </div>
      <div data-print="hide" className="mt-4 flex flex-wrap gap-2">
        {state === 'open' && <AcceptButton insight={insight} />}
        {isActive && <DismissButton insight={insight} />}
        <Button
          size="small"
          variant="secondary"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Masquer le pourquoi' : 'Pourquoi\u00a0?'}
        </Button>
      </div>
      {open && <InsightDetails insight={insight} id={id} />}
    </li>
  )
}

type Row = { id: string; label: string; values: (number | null)[] }

/** « 2026-05-14 7 h » of hours that follow one another, « 7 h » of a day like all others. */
function formatAxisLabel({ axis, labels }: Numbers, at: number): string {
  const label = labels[at] ?? ''
  if (axis === 'name' || !/^\d{4}-/.test(label)) return label
  const [day = '', ...hour] = label.split(' ')
  return [formatDate(day), ...hour].join(' ')
}

const Legend = ({ series }: { series: Numbers['series'] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {series.map(({ name }, at) => (
      <li key={`${name} ${EVIDENCE_STROKES[at % 3]?.color}`} className="inline-flex items-center gap-1.5">
        <svg aria-hidden="true" width="22" height="6">
          <path
            d="M0 3h22"
            stroke={EVIDENCE_STROKES[at % 3]?.color}
            strokeDasharray={EVIDENCE_STROKES[at % 3]?.dash}
            strokeWidth="2.5"
          />
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

const AXIS_HEADERS = { day: 'Jour', hour: 'Heure', name: 'Nom' }

/** What a finding stands on: drawn, and as the very same numbers in a table. */
function InsightEvidence({ evidence, title }: { evidence: Numbers; title: string }) {
  const { axis, labels, series, unit } = evidence
  const rows: Row[] = labels.map((_, at) => ({
    id: String(at),
    label: formatAxisLabel(evidence, at),
    values: series.map(({ values }) => values[at] ?? null),
  }))
  const columns: Column<Row>[] = [
    { header: AXIS_HEADERS[axis], card: 'title', cell: ({ label }) => label },
    ...series.map(
      ({ name }, which): Column<Row> => ({
        header: `${name} (${unit})`,
        align: 'end',
        card: 'primary',
        cell: ({ values }) => (values[which] === null ? '–' : formatNumber(values[which] ?? 0, 1)),
      }),
    ),
  ]
  return (
    <ChartFrame
      title={title}
      summary={`${series.map(({ name }) => name).join(', ')}\u00a0: ${formatCount(labels.length, 'valeur')}, en ${unit}.`}
      drawing={
        <div className="grid gap-2 [&>*]:min-w-0">
          <Legend series={series} />
          {axis === 'name' ? (
            <EvidenceBars evidence={evidence} />
          ) : (
            <EvidenceLines evidence={evidence} labelAt={(at) => formatAxisLabel(evidence, at)} />
          )}
        </div>
      }
      table={<Table label={title} rows={rows} columns={columns} />}
    />
  )
}

const MAX_BARS = 12

/** One group of bars for each name; beyond a dozen the table alone has them. */
function EvidenceBars({ evidence: { labels, series, unit } }: { evidence: Evidence }) {
  const maxValue = Math.max(1e-9, ...series.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0))))
  return (
    <div aria-hidden="true" className="grid gap-3">
      {labels.slice(0, MAX_BARS).map((label, at) => (
        <div key={label} className="grid gap-1 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-4">
          <span className="truncate text-body">{label}</span>
          <div className="grid content-center gap-1">
            {series.map(({ name, values }, which) => (
              <div key={name} className="flex items-center gap-2">
                <span
                  className="h-2.5 rounded-sm"
                  style={{
                    width: `${(80 * Math.abs(values[at] ?? 0)) / maxValue}%`,
                    background: EVIDENCE_STROKES[which % 3]?.color,
                  }}
                />
                <span className="tabular text-[0.8125rem] whitespace-nowrap text-ink-soft">
                  {values[at] === null ? '–' : `${formatNumber(values[at] ?? 0, 1)}\u00a0${unit}`}
                </span>
              </div>
            ))}
          </div>
        </div>
      ))}
      {labels.length > MAX_BARS && (
        <p className="text-body text-ink-soft">{`Les ${labels.length} lignes sont dans le tableau.`}</p>
      )}
    </div>
  )
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 200, 8, 22]
/** The first is what was measured; the others are told apart by their stroke too. */
const EVIDENCE_STROKES = [
  { color: 'var(--data-consumption)', dash: undefined },
  { color: 'var(--data-local)', dash: '6 4' },
  { color: 'var(--data-surplus)', dash: '2 3' },
]

type Scale = { x: (at: number) => number; y: (value: number) => number }

/** A hole breaks the line. */
function buildLinePath(values: (number | null)[], { x, y }: Scale): string {
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}

/** The numbers of a finding as curves over its days or hours; the table beside holds the same. */
function EvidenceLines({ evidence, labelAt }: { evidence: Evidence; labelAt: (at: number) => string }) {
  const { series, labels, unit } = evidence
  const maxValue = Math.max(1e-9, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const scale: Scale = {
    x: (at) => LEFT + (at / Math.max(1, labels.length - 1)) * (WIDTH - 2 * LEFT),
    y: (value) => 12 + (1 - Math.max(0, value) / maxValue) * (HEIGHT - BOTTOM - 12),
  }
  const ends = [0, labels.length - 1]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-auto w-full overflow-visible">
      {[0, maxValue / 2, maxValue].map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - LEFT} y1={scale.y(value)} y2={scale.y(value)} stroke="var(--color-line)" />
          <text x={LEFT} y={scale.y(value) - 3} fontSize="11" fill="var(--color-ink-soft)">
            {value === 0 ? '0' : `${formatNumber(value, maxValue < 10 ? 1 : 0)}\u00a0${unit}`}
          </text>
        </g>
      ))}
      {series.map(({ name, values }, at) => (
        <path
          key={name}
          d={buildLinePath(values, scale)}
          fill="none"
          stroke={EVIDENCE_STROKES[at % 3]?.color}
          strokeDasharray={EVIDENCE_STROKES[at % 3]?.dash}
          strokeWidth="2"
          strokeLinejoin="round"
        />
      ))}
      {ends.map((at, end) => (
        <text
          key={at}
          x={scale.x(at)}
          y={HEIGHT - 6}
          fontSize="11"
          textAnchor={end === 0 ? 'start' : 'end'}
          fill="var(--color-ink-soft)"
        >
          {labelAt(at)}
        </text>
      ))}
    </svg>
  )
}
