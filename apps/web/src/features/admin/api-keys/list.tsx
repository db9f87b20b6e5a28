import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import type { Permission } from '@voisol/contract/permissions'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { type ComponentType, Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import type { Column } from '../../../components/table.tsx'
import { Can, withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { exceedsOwnPermissions } from '../../../lib/permission-sets.ts'
import { useList } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { API_KEY_STATUS_BADGES } from './labels.ts'

const CreateDialog = lazy(() => import('./create-api-key.tsx'))

/** The boxes of rights are those of roles: the desk brings them. */
export type RightsField = ComponentType<{
  offered: readonly Permission[]
  value: Permission[]
  onChange: (rights: Permission[]) => void
}>

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

const describeReach = ({ operationIds, allowedNetworks }: ApiKey) =>
  [
    operationIds && `limitée à ${formatCount(operationIds.length, 'opération')}`,
    allowedNetworks.length > 0 && `depuis ${formatCount(allowedNetworks.length, 'réseau', 'réseaux')}`,
  ]
    .filter(Boolean)
    .join(', ')

const describeRateLimits = ({ perSecond, perMonth }: ApiKey) =>
  [perSecond && `${formatNumber(perSecond)} par seconde`, perMonth && `${formatNumber(perMonth)} par mois`]
    .filter(Boolean)
    .join(', ')

const formatEnd = ({ retiresAt, expiresOn }: ApiKey) =>
  retiresAt ? formatDateTime(retiresAt) : expiresOn ? formatDate(`${expiresOn}T12:00:00Z`) : 'Sans fin'

const columns: Column<ApiKey>[] = [
  {
    header: 'Clé',
    card: 'title',
    sort: 'name',
    cell: ({ name, prefix }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{name}</span>
        <code className={softTextClass}>{prefix}…</code>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ status }) => (
      <Badge tone={API_KEY_STATUS_BADGES[status].tone}>{API_KEY_STATUS_BADGES[status].label}</Badge>
    ),
  },
  {
    header: 'Droits et limites',
    card: 'primary',
    cell: (key) => (
      <span className="block min-w-36">
        {formatCount(key.permissions.length, 'droit')}
        {describeReach(key) && <span className={softTextClass}>{describeReach(key)}</span>}
        {describeRateLimits(key) && <span className={softTextClass}>{describeRateLimits(key)}</span>}
      </span>
    ),
  },
  {
    header: 'Dernier usage',
    card: 'primary',
    sort: 'lastUsedAt',
    cell: ({ lastUsedAt, lastIp, lastCall }) =>
      lastUsedAt ? (
        <span className="block min-w-44">
          {formatDateTime(lastUsedAt)}
          {lastIp && <span className={softTextClass}>depuis {lastIp}</span>}
          {lastCall && <code className={`${softTextClass} break-all`}>{lastCall}</code>}
        </span>
      ) : (
        'Jamais'
      ),
  },
  { header: 'Fin', card: 'primary', sort: 'expiresOn', cell: formatEnd },
  {
    header: 'Créée par',
    card: 'primary',
    sort: 'createdAt',
    cell: ({ createdBy, createdAt }) => (
      <span className="block min-w-28">
        {createdBy}
        <span className={softTextClass}>le {formatDate(createdAt)}</span>
      </span>
    ),
  },
]

const EmptyApiKeys = ({ onMake }: { onMake: () => void }) => (
  <EmptyState
    title="Aucune clé d’API"
    why="Une clé laisse un programme (tableur, comptabilité, supervision) lire ou écrire ici en votre nom, avec les seuls droits que vous lui donnez."
    action={
      <Can call={apiKeys.create}>
        <Button onClick={onMake}>Créer une première clé</Button>
      </Can>
    }
  />
)

const API_KEY_STATUS_OPTIONS = Object.entries(API_KEY_STATUS_BADGES).map(([value, { label }]) => ({
  value,
  label,
}))

export function ApiKeyPage({ Rights }: { Rights: RightsField }) {
  const list = useList(apiKeys.list)
  const [making, setMaking] = useState(false)
  return (
    <>
      <PageHeader
        title="Clés d’API"
        description="Ce que des programmes peuvent faire ici, depuis quand et jusqu’à quand."
        actions={
          <Can call={apiKeys.create}>
            <Button icon={<Plus aria-hidden="true" />} onClick={() => setMaking(true)}>
              Créer une clé
            </Button>
          </Can>
        }
      />
      <ListScreen
        list={list}
        label="Clés d’API"
        search="Rechercher un nom ou le début d’une clé"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={API_KEY_STATUS_OPTIONS}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        rowActions={(key) => <ApiKeyActions apiKey={key} />}
        empty={<EmptyApiKeys onMake={() => setMaking(true)} />}
      />
      <Suspense fallback={null}>{making && <CreateDialog Rights={Rights} onClose={() => setMaking(false)} />}</Suspense>
    </>
  )
}

const loadPanels = () => import('./api-key-dialogs.tsx')
const EditApiKeyDialog = lazy(() => loadPanels().then((all) => ({ default: all.EditApiKeyDialog })))
const RotateApiKeyDialog = lazy(() => loadPanels().then((all) => ({ default: all.RotateApiKeyDialog })))
const RevokeApiKeyConfirm = lazy(() => loadPanels().then((all) => ({ default: all.RevokeApiKeyConfirm })))
const PANELS = { edit: EditApiKeyDialog, rotate: RotateApiKeyDialog, revoke: RevokeApiKeyConfirm }

/** One that has ended is only there to be read; one that holds more than its reader does is theirs to stop, not to change. */
const ApiKeyActions = withAccess(apiKeys.update, ({ apiKey }: { apiKey: ApiKey }) => {
  const [panel, setPanel] = useState<keyof typeof PANELS>()
  const { permissions: own } = useUser()
  const changes = !exceedsOwnPermissions(apiKey.permissions, own, apiKey.operationIds !== null)
  const Panel = panel && PANELS[panel]
  if (apiKey.status !== 'active' && apiKey.status !== 'retiring') return null
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Actions pour ${apiKey.name} (${apiKey.prefix})`}
            icon={<Ellipsis aria-hidden="true" />}
          >
            Actions
          </Button>
        }
      >
        {changes && <MenuItem onSelect={() => setPanel('edit')}>Modifier</MenuItem>}
        {changes && apiKey.status === 'active' && <MenuItem onSelect={() => setPanel('rotate')}>Renouveler</MenuItem>}
        {changes && <MenuSeparator />}
        <MenuItem tone="danger" onSelect={() => setPanel('revoke')}>
          Révoquer
        </MenuItem>
      </Menu>
      <Suspense fallback={null}>{Panel && <Panel apiKey={apiKey} onClose={() => setPanel(undefined)} />}</Suspense>
    </>
  )
})
