import { useQuery } from '@tanstack/react-query'
import type { ConnectionTest } from '@voisol/contract/connections'
import { feed } from '@voisol/contract/feed'
import { useState } from 'react'
import { Accordion } from '../../../components/accordion.tsx'
import { Badge } from '../../../components/badge.tsx'
import { CodePanel } from '../../../components/code/code-block.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { query } from '../../../lib/queries.ts'

const FORMAT_OPTIONS = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'parquet', label: 'Parquet' },
]
const getPreviousMonth = () => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

type FeedColumn = { name: string; type: string; about: string }
const ColumnList = ({ columns }: { columns: FeedColumn[] }) => (
  <dl className="grid gap-2">
    {columns.map(({ name, type, about }) => (
      <div key={name} className="grid gap-x-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <dt className="min-w-0 break-words">
          <code className="text-ink">{name}</code> <span className="text-[0.8125rem]">{type}</span>
        </dt>
        <dd>{about}</dd>
      </div>
    ))}
  </dl>
)

/** Where a tool reads each set, and what its columns mean. */
export function FeedAddresses({ dataSets }: { dataSets: string[] }) {
  const [format, setFormat] = useState('csv')
  const { data, error, refetch } = useQuery(query(feed.dictionary, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const sets = data.items.filter(({ id }) => dataSets.includes(id))
  const buildFeedUrl = ({ path, byMonth }: (typeof sets)[number]) =>
    `${window.location.origin}${path}?format=${format}${byMonth ? `&month=${getPreviousMonth()}` : ''}`
  return (
    <section className="grid gap-4 [&>*]:min-w-0">
      <FilterChips
        label="Format"
        options={FORMAT_OPTIONS}
        value={format}
        onChange={(next) => setFormat(next || 'csv')}
      />
      <CodePanel label="Adresses à lire" code={sets.map(buildFeedUrl).join('\n')} language="text" />
      <p className="text-body text-ink-soft">
        Le jeton va dans l’en-tête <code>Authorization: Bearer …</code> de chaque lecture, jamais dans l’adresse.
        {sets.some(({ byMonth }) => byMonth) && ' Les jeux par mois se lisent mois par mois.'}
      </p>
      <Accordion
        entries={sets.map(({ id, label, columns }) => ({
          id,
          title: `Colonnes\u00a0: ${label}`,
          content: <ColumnList columns={columns} />,
        }))}
      />
    </section>
  )
}

/** What a test has found, in its own sentence, and what remains to be set right at the other end. */
export const ConnectionTestResult = ({ tested: { ok, message, facts, hostKey } }: { tested: ConnectionTest }) => (
  <div
    role="status"
    className={cx(
      'grid gap-3 rounded-card border p-4 text-body',
      ok ? 'border-success/30 bg-success-soft' : 'border-danger/30 bg-danger-soft',
    )}
  >
    <p className={cx('font-medium', ok ? 'text-success' : 'text-danger')}>{message}</p>
    {facts.length > 0 && (
      <ul className="grid gap-2">
        {facts.map((fact) => (
          <li key={fact.label} className="grid gap-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <span>
              <Badge tone={fact.ok ? 'success' : 'warning'}>{fact.label}</Badge>
            </span>
            <span className="min-w-0 break-words text-ink">{fact.value}</span>
          </li>
        ))}
      </ul>
    )}
    {hostKey && (
      <p className="text-ink">
        Empreinte du serveur&nbsp;: <code className="break-all">{hostKey}</code>
      </p>
    )}
  </div>
)
