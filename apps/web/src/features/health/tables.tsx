import type { HealthAlert, HealthJob } from '@voisol/contract/health'
import { dateTime, number, relative } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table.tsx'

export const jobColumns: Column<HealthJob & { id: string }>[] = [
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
        <Badge tone="danger">{`${number(failed)} abandonnées en un jour`}</Badge>
      ) : waiting > 0 ? (
        <Badge tone="info">{`${number(waiting)} en cours`}</Badge>
      ) : (
        <Badge tone="success">Au repos</Badge>
      ),
  },
  { header: 'Dernière', card: 'primary', cell: ({ lastAt }) => (lastAt ? relative(lastAt) : '—') },
  {
    header: 'Prochaine',
    card: 'primary',
    cell: ({ nextAt, cron }) => (nextAt ? dateTime(nextAt) : cron ? 'dans plus d’un mois' : 'à la demande'),
  },
]

export const alertColumns: Column<HealthAlert>[] = [
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
  { header: 'Depuis', card: 'primary', cell: ({ openedAt }) => dateTime(openedAt) },
  { header: 'Jusqu’à', card: 'primary', cell: ({ closedAt }) => (closedAt ? dateTime(closedAt) : '—') },
]

type Route = { id: string; route: string; calls: number; p95: number }
export const routeColumns: Column<Route>[] = [
  { header: 'Appel', card: 'title', cell: ({ route }) => <span className="font-mono text-[0.8125rem]">{route}</span> },
  { header: 'Nombre', align: 'end', card: 'primary', cell: ({ calls }) => number(calls) },
  { header: 'p95', align: 'end', card: 'primary', cell: ({ p95 }) => `${number(p95)}\u00a0ms` },
]
