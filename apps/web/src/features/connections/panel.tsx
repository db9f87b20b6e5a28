import { useQuery } from '@tanstack/react-query'
import { type Connection, type Connector, connections } from '@voisol/contract/connections'
import { withAccess } from '../../lib/can.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { query, useAction, withCallKey } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useConnectionActions } from './acts.ts'
import { FeedAddresses } from './feed.tsx'
import { HostKey } from './host-key.tsx'
import { ConnectionRuns } from './runs.tsx'
import { ConnectionTestResult } from './tested.tsx'
import { CONNECTION_STATE_BADGES, describeSchedule, isAutomatic } from './words.ts'

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
