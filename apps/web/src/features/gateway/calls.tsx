import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  BLOCK_REASONS,
  type BlockedCalls,
  type CallSums,
  type GatewayOverview,
  GatewayPeriod,
  gateway,
} from '@voisol/contract/gateway'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatCount, formatDateTime, formatNumber, formatPercent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { KpiTile } from '../../ui/tile.tsx'
import { CallName, CallTotalsTable } from './sums-table.tsx'
import {
  formatBarLabel,
  formatBytes,
  formatMilliseconds,
  formatShortBarLabel,
  GATEWAY_PERIOD_OPTIONS,
} from './words.ts'

const CallsDialog = lazy(() => import('./calls-dialog.tsx'))

/** The period is in the address. */
export function useGatewayPeriod() {
  const [search, setSearch] = useSearchParams()
  const period = GatewayPeriod.safeParse(search.get('periode')).data ?? 'day'
  const choose = (next: string | undefined) =>
    setSearch((old) => {
      old.set('periode', next ?? 'day')
      return old
    })
  return {
    period,
    chips: <FilterChips label="Période" options={GATEWAY_PERIOD_OPTIONS} value={period} onChange={choose} />,
  }
}

const formatShare = (part: number, whole: number) => (whole === 0 ? '—' : formatPercent(part / whole, 1))

export const CallTiles = ({ total }: { total: CallSums }) => (
  <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
    <KpiTile label="Appels" figure={formatNumber(total.calls)} note={`${formatBytes(total.bytesOut)} envoyés`} />
    <KpiTile
      label="Erreurs"
      figure={formatShare(total.errors + total.failures, total.calls)}
      note={`${formatNumber(total.errors)} refus ou fautes d’appel, ${formatCount(total.failures, 'panne')}`}
    />
    <KpiTile label="Bloqués" figure={formatNumber(total.blocked)} note="Droit, adresse, fin de clé ou limite" />
    <KpiTile
      label="Durée, p95"
      figure={formatMilliseconds(total.p95)}
      note={`Médiane ${formatMilliseconds(total.p50)}, p99 ${formatMilliseconds(total.p99)}`}
    />
  </div>
)

const CALL_SERIES = [
  { label: 'Réussis', color: '#1E3A8A' },
  { label: 'En erreur', color: '#B45309', pattern: 'hatched' as const },
]

export function CallsChart({ series, period }: Pick<GatewayOverview, 'series'> & { period: GatewayPeriod }) {
  const calls = series.reduce((sum, part) => sum + part.calls, 0)
  const highest = series.reduce(
    (best, part) => (part.calls > best.calls ? part : best),
    series[0] ?? { at: '', calls: 0 },
  )
  return (
    <Card>
      <BarChart
        title="Appels dans le temps"
        summary={`${formatCount(calls, 'appel')} au total\u00a0; au plus haut, ${formatNumber(highest.calls)} (${highest.at ? formatBarLabel(period, highest.at) : '—'}).`}
        unit="appels"
        series={CALL_SERIES}
        bars={series.map(({ at, calls: all, errors, failures }) => ({
          label: formatBarLabel(period, at),
          short: formatShortBarLabel(period, at),
          values: [all - errors - failures, errors + failures],
        }))}
      />
    </Card>
  )
}

const blockedColumns: Column<BlockedCalls>[] = [
  {
    header: 'Motif',
    card: 'title',
    cell: ({ reason }) => <span className="font-medium">{BLOCK_REASONS[reason]}</span>,
  },
  { header: 'Appelant', card: 'primary', cell: ({ who }) => who },
  {
    header: 'Appel',
    card: 'secondary',
    cell: ({ route }) => <CallName of={route} />,
  },
  { header: 'Appels', align: 'end', cell: ({ calls }) => formatNumber(calls) },
  { header: 'Le dernier', card: 'primary', cell: ({ last }) => formatDateTime(last) },
]

function CallTables({ data }: { data: GatewayOverview }) {
  const [key, setKey] = useState<{ id: string; label: string }>()
  return (
    <>
      <Card title="Par clé">
        <CallTotalsTable
          label="Appels par clé"
          of="Clé"
          rows={data.keys}
          none="Aucune clé n’a appelé pendant cette période."
          rowActions={({ id, label }) => (
            <Button
              variant="quiet"
              size="small"
              aria-label={`Derniers appels de ${label}`}
              onClick={() => setKey({ id, label })}
            >
              Derniers appels
            </Button>
          )}
        />
      </Card>
      <Card title="Appels bloqués">
        {data.blocked.length > 0 ? (
          <Table label="Appels bloqués" rows={data.blocked} columns={blockedColumns} />
        ) : (
          <p className="text-body text-ink-soft">Aucun appel n’a été bloqué.</p>
        )}
      </Card>
      <Card title="Par appel">
        <CallTotalsTable label="Appels par adresse" of="Appel" rows={data.routes} none="Aucun appel." code />
      </Card>
      <Card title="Par personne" description="Ce que font les écrans en leur nom.">
        <CallTotalsTable label="Appels par personne" of="Personne" rows={data.people} none="Aucune personne." />
      </Card>
      <Suspense fallback={null}>{key && <CallsDialog {...key} onClose={() => setKey(undefined)} />}</Suspense>
    </>
  )
}

export function GatewayCalls() {
  const { period, chips } = useGatewayPeriod()
  const { data, error, refetch } = useQuery({
    ...query(gateway.overview, { query: { period } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {chips}
      {data.total.calls === 0 ? (
        <EmptyState
          title="Aucun appel"
          why="Les appels des clés et des personnes apparaissent ici en quelques secondes."
          action={
            <ButtonLink variant="secondary" to="/admin/api-keys">
              Voir les clés d’API
            </ButtonLink>
          }
        />
      ) : (
        <>
          <CallTiles total={data.total} />
          <CallsChart series={data.series} period={period} />
          <CallTables data={data} />
        </>
      )}
    </div>
  )
}
