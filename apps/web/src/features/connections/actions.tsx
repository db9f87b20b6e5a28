import { type Connection, connections } from '@voisol/contract/connections'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useConnectionActions } from './acts.ts'

const ConnectionDialog = lazy(() => import('./form.tsx'))
const ConnectionPanel = lazy(() => import('./panel.tsx'))

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

export function ConnectionActions({ connection }: { connection: Connection }) {
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
