import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Connection, type ConnectionRun, type Connector, connections } from '@voisol/contract/connections'
import { useEffect } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDateTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { query, useAction, withCallKey } from '../../../lib/queries.ts'
import { ConnectionTestResult, FeedAddresses } from './connection-results.tsx'
import {
  CONNECTION_RUN_STATE_BADGES,
  CONNECTION_STATE_BADGES,
  describeSchedule,
  formatFileSize,
  isAutomatic,
  useConnectionActions,
} from './labels.ts'

const ConnectionToolbar = withAccess(connections.update, ({ connection }: { connection: Connection }) => {
  const actions = useConnectionActions(connection)
  const check = useAction(connections.check, [])
  const { id, kind, settings } = connection
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {actions.map(({ label, busy, go }) => (
          <Button key={label} variant="secondary" size="small" loading={busy} onClick={() => void go()}>
            {label}
          </Button>
        ))}
        <Button
          variant="secondary"
          size="small"
          loading={check.isPending}
          onClick={() => check.mutate(withCallKey({ body: { id, kind, settings } }))}
        >
          Essayer
        </Button>
      </div>
      {check.error && <ErrorState error={check.error} />}
      {check.data && <ConnectionTestResult tested={check.data} />}
    </div>
  )
})

const getOptionLabels = ({ options }: Connector['fields'][number], value: string) =>
  value
    .split(',')
    .map((one) => options.find((option) => option.value === one)?.label ?? one)
    .join(', ')

/** Its settings by the names of its form; a secret is said to be there, no more. */
const buildSettingFacts = ({ fields }: Connector, { settings, held }: Connection) =>
  fields.flatMap((field) => {
    if (held.includes(field.name)) return [{ label: field.label, value: 'Enregistré' }]
    const value = settings[field.name]
    return value
      ? [{ label: field.label, value: field.options.length > 0 ? getOptionLabels(field, value) : value }]
      : []
  })

function ConnectionFacts({ connection }: { connection: Connection }) {
  const { data, error, refetch } = useQuery(query(connections.kinds, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  const connector = data.kinds.find(({ kind }) => kind === connection.kind)
  const { state, shipments, nextRunAt, hostKey, offeredKey, apiKey } = connection
  const sent = shipments.map((id) => data.shipments.find((one) => one.id === id)?.label ?? id)
  const facts = [
    {
      label: 'État',
      value: <Badge tone={CONNECTION_STATE_BADGES[state].tone}>{CONNECTION_STATE_BADGES[state].label}</Badge>,
    },
    { label: 'Horaire', value: describeSchedule(connection) },
    ...(nextRunAt ? [{ label: 'Prochain passage', value: formatDateTime(nextRunAt) }] : []),
    ...(connection.can.includes('deliver') ? [{ label: 'Ce qui est envoyé', value: sent.join('\n') || 'Rien' }] : []),
    ...(connector ? buildSettingFacts(connector, connection) : []),
    ...(hostKey && !offeredKey ? [{ label: 'Empreinte du serveur', value: <code>{hostKey}</code> }] : []),
    ...(apiKey ? [{ label: 'Jeton', value: `${apiKey.prefix}…` }] : []),
    ...(apiKey
      ? [{ label: 'Dernière lecture', value: apiKey.lastUsedAt ? formatDateTime(apiKey.lastUsedAt) : 'Jamais' }]
      : []),
  ]
  return (
    <>
      {connector && <p className="prose-width text-body text-ink-soft">{connector.about}</p>}
      <FactList facts={facts} />
    </>
  )
}

/** One connection: what it is, what it needs, what it did. */
export default function ConnectionPanel({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { id, name, trouble, settings, can, offeredKey } = connection
  return (
    <Dialog title={name} width="full" open onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-6 [&>*]:min-w-0">
        {trouble && !offeredKey && (
          <p role="status" className="rounded-card bg-danger-soft p-4 text-body text-danger">
            {trouble}
          </p>
        )}
        <HostKey connection={connection} />
        {!can.includes('feed') && <ConnectionToolbar connection={connection} />}
        <ConnectionFacts connection={connection} />
        {can.includes('feed') && <FeedAddresses dataSets={(settings.dataSets ?? '').split(',')} />}
        {!can.includes('feed') && (
          <section className="grid gap-3 [&>*]:min-w-0">
            <h3 className="text-base font-semibold">{isAutomatic(connection) ? 'Passages' : 'Journal'}</h3>
            <ConnectionRuns id={id} />
          </section>
        )}
      </div>
    </Dialog>
  )
}

const AcceptKeyButton = withAccess(
  connections.acceptKey,
  ({ connection: { id, name, offeredKey } }: { connection: Connection }) => {
    const accept = useAction(connections.acceptKey, [connections.list])
    return (
      <Confirm
        title={'Accepter la nouvelle clé de ce serveur\u00a0?'}
        description={`Faites-le seulement si l’exploitant du serveur vous a confirmé l’empreinte ${offeredKey}. «\u00a0${name}\u00a0» est alors essayée, puis reprise.`}
        action="Accepter cette clé"
        onConfirm={() => accept.run({ params: { id }, body: { fingerprint: offeredKey } })}
        trigger={<Button variant="danger">Accepter la nouvelle clé</Button>}
      />
    )
  },
)

/** By which key the server is known; a new one is looked at beside it before anybody accepts it. */
function HostKey({ connection }: { connection: Connection }) {
  const { hostKey, offeredKey } = connection
  if (!offeredKey) return null
  return (
    <section className="grid gap-4 rounded-card border border-danger/30 bg-danger-soft p-4">
      <h3 className="text-body font-semibold text-danger">Ce serveur a montré une autre clé</h3>
      <FactList
        facts={[
          { label: 'Clé connue', value: <code className="break-all">{hostKey}</code> },
          { label: 'Clé montrée', value: <code className="break-all">{offeredKey}</code> },
        ]}
      />
      <p className="text-body">
        Rien n’a été envoyé. Si l’exploitant n’a pas changé de clé, quelqu’un s’interpose&nbsp;: n’acceptez pas.
      </p>
      <div>
        <AcceptKeyButton connection={connection} />
      </div>
    </section>
  )
}

const POLL_MS = 3000

const columns: Column<ConnectionRun>[] = [
  { header: 'Début', card: 'title', cell: ({ startedAt }) => formatDateTime(startedAt) },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, failure }) => (
      <span className="block min-w-40">
        <Badge tone={CONNECTION_RUN_STATE_BADGES[state].tone}>{CONNECTION_RUN_STATE_BADGES[state].label}</Badge>
        {failure && <span className="block text-[0.8125rem] text-ink-soft">{failure}</span>}
      </span>
    ),
  },
  { header: 'Lancé par', card: 'primary', cell: ({ askedBy }) => askedBy || 'Horaire' },
  { header: 'Fichiers', align: 'end', card: 'primary', cell: ({ files }) => formatNumber(files) },
  { header: 'Taille', align: 'end', cell: ({ bytes }) => (bytes ? formatFileSize(bytes) : '—') },
]

function RunSteps({ id, runId }: { id: string; runId: string }) {
  const { data, error, refetch } = useQuery({
    ...query(connections.run, { params: { id, runId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.run.state === 'running' ? POLL_MS : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  return (
    <ol className="grid gap-1.5 py-2 text-body">
      {data.steps.map(({ id, at, text, milliseconds, bytes }) => (
        <li key={id} className="grid gap-x-4 sm:grid-cols-[6rem_minmax(0,1fr)_auto]">
          <span className="tabular text-ink-soft">{formatTime(at)}</span>
          <span className="min-w-0 break-words">{text}</span>
          <span className="tabular text-[0.8125rem] text-ink-soft">
            {bytes > 0 && `${formatFileSize(bytes)}, `}
            {formatNumber(milliseconds)}&nbsp;ms
          </span>
        </li>
      ))}
      {data.steps.length === 0 && <li className="text-ink-soft">Rien n’est encore écrit.</li>}
    </ol>
  )
}

/** What it did, each time, step by step. */
function ConnectionRuns({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...query(connections.runs, { params: { id }, query: { size: 20 } }),
    staleTime: 0,
    // A run that was asked for begins a moment later: the open panel is who waits for it.
    refetchInterval: POLL_MS,
  })
  const client = useQueryClient()
  const newest = data?.items[0] && `${data.items[0].id} ${data.items[0].state}`
  useEffect(() => {
    // The list behind it, and what the panel says of the connection, follow.
    if (newest) void client.invalidateQueries({ queryKey: [connections.list.path] })
  }, [client, newest])
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.total === 0) return <p className="text-body text-ink-soft">Aucun passage pour l’instant.</p>
  return (
    <div className="grid gap-2 [&>*]:min-w-0">
      <Table
        label="Passages"
        rows={data.items}
        columns={columns}
        detail={{
          label: ({ startedAt }) => `Journal du passage du ${formatDateTime(startedAt)}`,
          content: (run) => <RunSteps id={id} runId={run.id} />,
        }}
      />
      {data.total > data.items.length && (
        <p className="text-[0.8125rem] text-ink-soft">
          Les {formatCount(data.items.length, 'dernier passage', 'derniers passages')} sur {formatNumber(data.total)}.
        </p>
      )}
    </div>
  )
}
