import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  BLOCK_REASONS,
  type BlockedCalls,
  type CallSums,
  type GatewayOverview,
  GatewayPeriod,
  gateway,
  LimitsChange,
  type NamedSums,
} from '@voisol/contract/gateway'
import { Fragment, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { BarChart } from '../../../components/bar-chart.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { Can } from '../../../lib/can.tsx'
import { numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDateTime, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatBarLabel, formatBytes, formatMilliseconds, formatShortBarLabel } from './labels.ts'

const CallsDialog = lazy(() => import('./calls-dialog.tsx'))

const GATEWAY_PERIOD_OPTIONS: { value: GatewayPeriod; label: string }[] = [
  { value: 'hour', label: 'Dernière heure' },
  { value: 'day', label: '24 heures' },
  { value: 'month', label: '30 jours' },
  { value: 'year', label: '12 mois' },
]

/** The period is in the address. */
function useGatewayPeriod() {
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

const CallTiles = ({ total }: { total: CallSums }) => (
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

function CallsChart({ series, period }: Pick<GatewayOverview, 'series'> & { period: GatewayPeriod }) {
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

const figureColumns: Column<NamedSums>[] = [
  { header: 'Appels', align: 'end', cell: ({ calls }) => formatNumber(calls) },
  { header: 'Erreurs', align: 'end', cell: ({ errors, failures }) => formatNumber(errors + failures) },
  { header: 'Bloqués', align: 'end', cell: ({ blocked }) => formatNumber(blocked) },
  { header: 'Médiane', align: 'end', cell: ({ p50 }) => formatMilliseconds(p50) },
  { header: 'p95', align: 'end', cell: ({ p95 }) => formatMilliseconds(p95) },
  { header: 'p99', align: 'end', cell: ({ p99 }) => formatMilliseconds(p99) },
  { header: 'Envoyé', align: 'end', card: 'none', cell: ({ bytesOut }) => formatBytes(bytesOut) },
]

type Props = {
  label: string
  /** What a row is: « Clé ». */
  of: string
  rows: NamedSums[]
  none: string
  code?: boolean
  rowActions?: (row: NamedSums) => ReactNode
}

/** An address breaks where its parts end, not inside a word. */
const CallName = ({ of }: { of: string }) => (
  <code className="text-[0.8125rem] break-words">
    {of.split(/(?<=\/)/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have their place for a name
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </code>
)

/** Calls added up by something, the most called first. */
function CallTotalsTable({ label, of, rows, none, code = false, rowActions }: Props) {
  if (rows.length === 0) return <p className="text-body text-ink-soft">{none}</p>
  const name: Column<NamedSums> = {
    header: of,
    card: 'title',
    cell: ({ label: words }) => (code ? <CallName of={words} /> : <span className="font-medium">{words}</span>),
  }
  return <Table label={label} rows={rows} columns={[name, ...figureColumns]} rowActions={rowActions} />
}

/** Of all companies, for who keeps the installation. */
export function InstallationCalls() {
  const { period, chips } = useGatewayPeriod()
  const { data, error, refetch } = useQuery({
    ...query(gateway.installation, { query: { period } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {chips}
      <CallTiles total={data.total} />
      <CallsChart series={data.series} period={period} />
      <Card title="Par organisation">
        <CallTotalsTable label="Appels par organisation" of="Organisation" rows={data.companies} none="Aucun appel." />
      </Card>
      <Card title="Par appel">
        <CallTotalsTable label="Appels par adresse" of="Appel" rows={data.routes} none="Aucun appel." code />
      </Card>
    </div>
  )
}

type CompanyLimits = { perSecond: number | null; perMonth: number | null; usedThisMonth: number; version: number }
type KeyLimits = { id: string; name: string } & Omit<CompanyLimits, 'version'>

const limitInputSchema = (max: number) =>
  z.union([z.literal('').transform(() => null), numberInputSchema({ min: 1, max })])
const LimitsDraft = LimitsChange.extend({ perSecond: limitInputSchema(1000), perMonth: limitInputSchema(100_000_000) })
const toFieldText = (value: number | null) => (value === null ? '' : String(value))
const formatLimit = (value: number | null) => (value === null ? 'Sans limite' : formatNumber(value))

const formatUsage = ({ usedThisMonth, perMonth }: Pick<CompanyLimits, 'usedThisMonth' | 'perMonth'>) =>
  perMonth ? `${formatNumber(usedThisMonth)} (${formatPercent(usedThisMonth / perMonth, 0)})` : '—'

const columns: Column<KeyLimits>[] = [
  { header: 'Clé', card: 'title', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'Par seconde', align: 'end', cell: ({ perSecond }) => formatLimit(perSecond) },
  { header: 'Par mois', align: 'end', cell: ({ perMonth }) => formatLimit(perMonth) },
  { header: 'Ce mois-ci', align: 'end', cell: formatUsage },
]

function LimitsForm({ company }: { company: CompanyLimits }) {
  const save = useAction(gateway.setLimits, [gateway.limits])
  const form = useSchemaForm(LimitsDraft, {
    defaults: {
      perSecond: toFieldText(company.perSecond),
      perMonth: toFieldText(company.perMonth),
      version: company.version,
    },
    save: async (body) => {
      await save.run({ body })
      toast({ title: 'Limites enregistrées', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="perSecond" label="Appels par seconde" optional inputMode="numeric" />
        <Field form={form} name="perMonth" label="Appels par mois" optional inputMode="numeric" />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-start">
        Enregistrer les limites
      </Button>
    </form>
  )
}

/** What keys may call, together and each. People at their screens are not limited. */
export function GatewayLimits() {
  const { data, error, refetch } = useQuery({ ...query(gateway.limits, {}), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { company, keys } = data
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Card
        title="Toutes les clés ensemble"
        description="Au-delà, un appel est refusé avec le temps d’attendre. Les personnes à l’écran ne sont pas comptées."
      >
        <Can
          call={gateway.setLimits}
          otherwise={
            <FactList
              facts={[
                { label: 'Appels par seconde', value: formatLimit(company.perSecond) },
                { label: 'Appels par mois', value: formatLimit(company.perMonth) },
              ]}
            />
          }
        >
          <LimitsForm key={company.version} company={company} />
        </Can>
        {company.perMonth !== null && (
          <p className="mt-4 text-body text-ink-soft">Ce mois-ci&nbsp;: {formatUsage(company)}.</p>
        )}
      </Card>
      <Card title="Clé par clé" description="Une clé se limite dans l’écran des clés d’API.">
        {keys.length > 0 ? (
          <Table label="Limites par clé" rows={keys} columns={columns} />
        ) : (
          <p className="text-body text-ink-soft">Aucune clé n’a de limite à elle.</p>
        )}
      </Card>
    </div>
  )
}
