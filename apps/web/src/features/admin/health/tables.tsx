import type { HealthAlert, HealthJob } from '@voisol/contract/health'
import { Badge } from '../../../components/badge.tsx'
import type { Column } from '../../../components/table.tsx'
import { formatDateTime, formatNumber, formatRelativeTime } from '../../../lib/format.ts'

export const healthJobColumns: Column<HealthJob & { id: string }>[] = [
  {
    header: 'Tâche',
    card: 'title',
    cell: ({ name, label }) => (
      <span className="block min-w-48">
        <span className="block font-medium">{label}</span>
        <code className="block text-[0.8125rem] text-ink-soft">{name}</code>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ late, failed, waiting }) =>
      late ? (
        <Badge tone="warning">En retard</Badge>
      ) : failed > 0 ? (
        <Badge tone="danger">{`${formatNumber(failed)} abandonnées en un jour`}</Badge>
      ) : waiting > 0 ? (
        <Badge tone="info">{`${formatNumber(waiting)} en cours`}</Badge>
      ) : (
        <Badge tone="success">Au repos</Badge>
      ),
  },
  { header: 'Dernière', card: 'primary', cell: ({ lastAt }) => (lastAt ? formatRelativeTime(lastAt) : '—') },
  {
    header: 'Prochaine',
    card: 'primary',
    cell: ({ nextAt, cron }) => (nextAt ? formatDateTime(nextAt) : cron ? 'dans plus d’un mois' : 'à la demande'),
  },
]

export const healthAlertColumns: Column<HealthAlert>[] = [
  {
    header: 'Alerte',
    card: 'title',
    cell: ({ detail, advice }) => (
      <span className="block min-w-56">
        <span className="block font-medium">{detail}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{advice}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ closedAt, level }) =>
      closedAt ? (
        <Badge tone="neutral">Terminée</Badge>
      ) : (
        <Badge tone={level === 'critical' ? 'danger' : 'warning'}>
          {level === 'critical' ? 'À régler' : 'À regarder'}
        </Badge>
      ),
  },
  { header: 'Depuis', card: 'primary', cell: ({ openedAt }) => formatDateTime(openedAt) },
  { header: 'Jusqu’à', card: 'primary', cell: ({ closedAt }) => (closedAt ? formatDateTime(closedAt) : '—') },
]

type RouteRow = { id: string; route: string; calls: number; p95: number }
export const slowRouteColumns: Column<RouteRow>[] = [
  { header: 'Appel', card: 'title', cell: ({ route }) => <span className="font-mono text-[0.8125rem]">{route}</span> },
  { header: 'Nombre', align: 'end', card: 'primary', cell: ({ calls }) => formatNumber(calls) },
  { header: 'p95', align: 'end', card: 'primary', cell: ({ p95 }) => `${formatNumber(p95)}\u00a0ms` },
]
