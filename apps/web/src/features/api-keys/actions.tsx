import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { exceeds } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

const load = () => import('./panels.tsx')
const EditDialog = lazy(() => load().then((all) => ({ default: all.EditDialog })))
const RotateDialog = lazy(() => load().then((all) => ({ default: all.RotateDialog })))
const RevokeConfirm = lazy(() => load().then((all) => ({ default: all.RevokeConfirm })))
const PANELS = { edit: EditDialog, rotate: RotateDialog, revoke: RevokeConfirm }

/** One that has ended is only there to be read; one that holds more than its reader does is theirs to stop, not to change. */
export const KeyActions = only(apiKeys.update, ({ apiKey }: { apiKey: ApiKey }) => {
  const [panel, setPanel] = useState<keyof typeof PANELS>()
  const { permissions: own } = useUser()
  const changes = !exceeds(apiKey.permissions, own, apiKey.operationIds !== null)
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
