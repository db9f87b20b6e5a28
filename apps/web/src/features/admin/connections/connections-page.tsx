import { useQuery } from '@tanstack/react-query'
import { type Connection, connections } from '@voisol/contract/connections'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import {
  CONNECTION_RUN_STATE_BADGES,
  CONNECTION_STATE_BADGES,
  describeSchedule,
  useConnectionActions,
} from './labels.ts'

const ConnectionDialog = lazy(() => import('./connection-dialog.tsx'))
const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const renderLastRun = ({ lastRun, apiKey }: Connection) => {
  if (lastRun)
    return (
      <span className="block min-w-28">
        {CONNECTION_RUN_STATE_BADGES[lastRun.state].label}
        <span className={softTextClass}>{formatRelativeTime(lastRun.startedAt)}</span>
      </span>
    )
  return apiKey?.lastUsedAt ? `Lu ${formatRelativeTime(apiKey.lastUsedAt)}` : '—'
}

const buildColumns = (labels: Map<string, string>): Column<Connection>[] => [
  {
    header: 'Connexion',
    card: 'title',
    sort: 'name',
    cell: ({ name, kind }) => (
      <span className="block min-w-40">
        <span className="font-medium break-words">{name}</span>
        <span className={softTextClass}>{labels.get(kind) ?? kind}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, trouble }) => (
      <span className="block min-w-40">
        <Badge tone={CONNECTION_STATE_BADGES[state].tone}>{CONNECTION_STATE_BADGES[state].label}</Badge>
        {trouble && <span className={softTextClass}>{trouble}</span>}
      </span>
    ),
  },
  { header: 'Dernier passage', card: 'primary', cell: renderLastRun },
  {
    header: 'Prochain passage',
    card: 'primary',
    cell: (connection) =>
      connection.nextRunAt ? (
        <span className="block min-w-44">
          {formatDateTime(connection.nextRunAt)}
          <span className={softTextClass}>{describeSchedule(connection)}</span>
        </span>
      ) : (
        <span className="block min-w-44">{connection.state === 'active' ? describeSchedule(connection) : '—'}</span>
      ),
  },
]

type AddButtonProps = { label?: string; onAdd: () => void }
const AddButton = withAccess(connections.create, ({ label = 'Ajouter une connexion', onAdd }: AddButtonProps) => (
  <Button icon={<Plus aria-hidden="true" />} onClick={onAdd}>
    {label}
  </Button>
))

type ConnectionKinds = { kind: string; label: string; about: string }[]
/** Why one would want any of them. */
const NoConnections = ({ kinds, onAdd }: { kinds: ConnectionKinds; onAdd: () => void }) => (
  <div className="grid gap-2">
    <EmptyState
      title="Aucune connexion"
      why="Une connexion envoie vos données ailleurs, ou va les y chercher, sans que personne ait à y penser."
      action={<AddButton label="Ajouter une première connexion" onAdd={onAdd} />}
    />
    <dl className="mx-auto grid max-w-4xl gap-x-10 gap-y-4 px-6 pb-8 text-body sm:grid-cols-2">
      {kinds.map(({ kind, label, about }) => (
        <div key={kind}>
          <dt className="font-medium">{label}</dt>
          <dd className="text-ink-soft">{about}</dd>
        </div>
      ))}
    </dl>
  </div>
)

/** What leaves the house by itself, what is read of it, and how each is doing. */
export default function ConnectionsPage() {
  const list = useList(connections.list)
  const [adding, setAdding] = useState(false)
  const add = () => setAdding(true)
  const kinds = useQuery(query(connections.kinds, {})).data?.kinds ?? []
  return (
    <>
      <PageHeader
        title="Connexions"
        description="Déposer des fichiers, écrire depuis votre adresse, alimenter un outil décisionnel, relever la météo."
        actions={<AddButton onAdd={add} />}
      />
      <ListScreen
        list={list}
        label="Connexions"
        search="Rechercher une connexion"
        columns={buildColumns(new Map(kinds.map(({ kind, label }) => [kind, label])))}
        rowActions={(connection) => <ConnectionActions connection={connection} />}
        empty={<NoConnections kinds={kinds} onAdd={add} />}
      />
      <Suspense fallback={null}>{adding && <ConnectionDialog onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

const ConnectionPanel = lazy(() => import('./connection-drawer.tsx'))

type Props = { connection: Connection; onClose: () => void }

const describeRemoval = ({ can }: Connection) =>
  can.includes('feed')
    ? 'Son jeton cesse aussitôt\u00a0: l’outil qui le lit n’aura plus rien.'
    : 'Plus rien ne passe par elle. Ses réglages, ses secrets et le journal de ses passages sont effacés.'

function RemoveConnectionConfirm({ connection, onClose }: Props) {
  const remove = useAction(connections.remove, [connections.list])
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Supprimer «\u00a0${connection.name}\u00a0»\u00a0?`}
      description={describeRemoval(connection)}
      action="Supprimer la connexion"
      onConfirm={() => remove.run({ params: { id: connection.id } })}
    />
  )
}

const PANELS = { open: ConnectionPanel, edit: ConnectionDialog, remove: RemoveConnectionConfirm }
type Panel = keyof typeof PANELS

function ConnectionMenuItems({ connection, open }: { connection: Connection; open: (panel: Panel) => void }) {
  const actions = useConnectionActions(connection)
  return (
    <>
      {actions.map(({ label, go, follow }) => (
        <MenuItem key={label} onSelect={() => void go().then(() => follow && open('open'))}>
          {label}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => open('edit')}>Modifier</MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => open('remove')}>
        Supprimer
      </MenuItem>
    </>
  )
}

function ConnectionActions({ connection }: { connection: Connection }) {
  const [panel, setPanel] = useState<Panel>()
  const changes = useCan()(connections.update)
  const Panel = panel && PANELS[panel]
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Ouvrir ${connection.name}`} onClick={() => setPanel('open')}>
        Ouvrir
      </Button>
      {changes && (
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="small"
              aria-label={`Actions pour ${connection.name}`}
              icon={<Ellipsis aria-hidden="true" />}
            >
              Actions
            </Button>
          }
        >
          <ConnectionMenuItems connection={connection} open={setPanel} />
        </Menu>
      )}
      <Suspense fallback={null}>
        {Panel && <Panel connection={connection} onClose={() => setPanel(undefined)} />}
      </Suspense>
    </>
  )
}
