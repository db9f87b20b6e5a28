import { useQuery } from '@tanstack/react-query'
import { audit, type ListedEntry } from '@voisol/contract/audit'
import { Button } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { query } from '../../../lib/queries.ts'

const headerCellClass = 'py-1.5 pr-4 text-left font-normal text-ink-soft'
const cellClass = 'py-1.5 pr-4 align-top break-words'

function ChangesTable({ detail }: { detail: Record<string, unknown> }) {
  const changes = listAuditChanges(detail)
  if (changes.length === 0) return <p className="text-body text-ink-soft">Rien de plus n’a été noté.</p>
  return (
    <table className="w-full table-fixed text-[0.8125rem]">
      <thead>
        <tr>
          <th className={`${headerCellClass} w-1/4`}>Champ</th>
          <th className={headerCellClass}>Avant</th>
          <th className={headerCellClass}>Après</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-t border-line">
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <td className={cellClass}>
              <code>{name}</code>
            </td>
            <td className={`${cellClass} text-ink-soft`}>{before}</td>
            <td className={`${cellClass} font-medium`}>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ApplyFilters = (filters: { userId?: string; keyId?: string; target?: string; action?: string }) => void

/** All that is kept of an entry, and ways to those like it. */
export function AuditEntryDetail({ id, narrow }: { id: string; narrow: ApplyFilters }) {
  const { data, error, refetch } = useQuery(query(audit.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const { userId, keyId, target, action } = data
  const button = (label: string, filters: Parameters<ApplyFilters>[0]) => (
    <Button variant="secondary" size="small" onClick={() => narrow(filters)}>
      {label}
    </Button>
  )
  return (
    <div className="grid gap-4 py-2 [&>*]:min-w-0">
      <ChangesTable detail={data.detail} />
      <FactList
        facts={[
          { label: 'Objet', value: <AuditObject entry={data} withId /> },
          { label: 'Auteur', value: data.actorName === data.actor ? data.actor : `${data.actorName} (${data.actor})` },
          { label: 'Appel', value: <code className="text-[0.8125rem]">{action}</code> },
          { label: 'Adresse', value: data.ip || '—' },
          { label: 'Requête', value: <code className="text-[0.8125rem]">{data.requestId || '—'}</code> },
          { label: `Maillon ${data.id}`, value: <code className="text-[0.8125rem] break-all">{data.hash}</code> },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {keyId
          ? button('Tout ce qu’a fait cette clé', { keyId })
          : userId && button('Tout ce qu’a fait cette personne', { userId })}
        {target && button('Tout sur cet objet', { target })}
        {button('Toutes les actions de ce genre', { action })}
      </div>
    </div>
  )
}

type Props = { entry: Pick<ListedEntry, 'target' | 'object'>; withId?: boolean }

/** What an entry is about, by its name; the id it was noted under stands beneath it where one looks closely. */
export function AuditObject({ entry: { target, object }, withId = false }: Props) {
  if (!object) return <span className="break-words">{target || '—'}</span>
  const to = getObjectPath(object.kind, object.id)
  return (
    <span className="block min-w-40">
      {to ? (
        <Link to={to} className="text-link break-words">
          {object.name}
        </Link>
      ) : (
        <span className="block break-words">{object.name}</span>
      )}
      {withId && <code className="block break-all text-[0.75rem] text-ink-soft">{target}</code>}
    </span>
  )
}

const OBJECT_PATHS: Record<string, (id: string) => string> = {
  operations: (id) => `/acc-operations/${id}`,
  projects: (id) => `/projects/${id}`,
  invoices: (id) => `/invoice/${id}`,
  sync_tasks: (id) => `/enedis-api/sync-tasks/${id}`,
  distributor_files: () => '/enedis-data',
  enedis_credentials: () => '/enedis-api',
  users: () => '/admin/users',
  roles: () => '/admin/users',
  api_keys: () => '/admin/api-keys',
  webhooks: () => '/admin/webhooks',
  sso_connections: () => '/admin/sso',
  company_copies: () => '/admin/backups',
  copy_runs: () => '/admin/backups',
  health_alerts: () => '/admin/system-health',
  incidents: () => '/admin/system-health?onglet=incidents',
  contents: () => '/cms-admin',
  bookings: () => '/admin/bookings',
  requests: () => '/admin/bookings',
  participants: () => '/participants',
  insights: () => '/ai-insights',
}

/** Where an object of the journal is looked at; undefined where it has no screen. */
export const getObjectPath = (kind: string, id: string): string | undefined => OBJECT_PATHS[kind]?.(id)
export const OBJECT_KINDS = Object.keys(OBJECT_PATHS)

/** One thing that an entry says: how it was, how it is. */
type AuditChange = { name: string; before: string | null; after: string | null }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const formatAuditValue = (value: unknown): string | null => {
  if (value === undefined) return null
  if (value === null || value === '') return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What differs between before and after; what is only there once stands on its side, and the rest of the detail after it. */
export function listAuditChanges(detail: Record<string, unknown>): AuditChange[] {
  const { before, after, ...rest } = detail
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const both = names
    .map((name) => ({ name, before: formatAuditValue(old[name]), after: formatAuditValue(now[name]) }))
    .filter((change) => change.before !== change.after)
  const plain = Object.entries(rest).map(([name, value]) => ({ name, before: null, after: formatAuditValue(value) }))
  return [...both, ...plain]
}
