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
import { dateTime, number, percent, plural } from '../../lib/format.ts'
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
import { Tile } from '../../ui/tile.tsx'
import { CallName, SumsTable } from './sums-table.tsx'
import { bytes, duration, PERIODS, partOf, shortPartOf } from './words.ts'

const CallsDialog = lazy(() => import('./calls-dialog.tsx'))

/** The period is in the address. */
export function usePeriod() {
  const [search, setSearch] = useSearchParams()
  const period = GatewayPeriod.safeParse(search.get('periode')).data ?? 'day'
  const choose = (next: string | undefined) =>
    setSearch((old) => {
      old.set('periode', next ?? 'day')
      return old
    })
  return { period, chips: <FilterChips label="Période" options={PERIODS} value={period} onChange={choose} /> }
}

const share = (part: number, whole: number) => (whole === 0 ? '—' : percent(part / whole, 1))

export const Tiles = ({ total }: { total: CallSums }) => (
  <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
    <Tile label="Appels" figure={number(total.calls)} note={`${bytes(total.bytesOut)} envoyés`} />
    <Tile
      label="Erreurs"
      figure={share(total.errors + total.failures, total.calls)}
      note={`${number(total.errors)} refus ou fautes d’appel, ${plural(total.failures, 'panne')}`}
    />
    <Tile label="Bloqués" figure={number(total.blocked)} note="Droit, adresse, fin de clé ou limite" />
    <Tile
      label="Durée, p95"
      figure={duration(total.p95)}
      note={`Médiane ${duration(total.p50)}, p99 ${duration(total.p99)}`}
    />
  </div>
)

const SERIES = [
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
        summary={`${plural(calls, 'appel')} au total\u00a0; au plus haut, ${number(highest.calls)} (${highest.at ? partOf(period, highest.at) : '—'}).`}
        unit="appels"
        series={SERIES}
        bars={series.map(({ at, calls: all, errors, failures }) => ({
          label: partOf(period, at),
          short: shortPartOf(period, at),
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
  { header: 'Appels', align: 'end', cell: ({ calls }) => number(calls) },
  { header: 'Le dernier', card: 'primary', cell: ({ last }) => dateTime(last) },
]

function Tables({ data }: { data: GatewayOverview }) {
  const [key, setKey] = useState<{ id: string; label: string }>()
  return (
    <>
      <Card title="Par clé">
        <SumsTable
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
        <SumsTable label="Appels par adresse" of="Appel" rows={data.routes} none="Aucun appel." code />
      </Card>
      <Card title="Par personne" description="Ce que font les écrans en leur nom.">
        <SumsTable label="Appels par personne" of="Personne" rows={data.people} none="Aucune personne." />
      </Card>
      <Suspense fallback={null}>{key && <CallsDialog {...key} onClose={() => setKey(undefined)} />}</Suspense>
    </>
  )
}

export function Calls() {
  const { period, chips } = usePeriod()
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
          <Tiles total={data.total} />
          <CallsChart series={data.series} period={period} />
          <Tables data={data} />
        </>
      )}
    </div>
  )
}
