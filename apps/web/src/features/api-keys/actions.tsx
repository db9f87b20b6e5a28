import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { exceedsOwnPermissions } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

const loadPanels = () => import('./panels.tsx')
const EditApiKeyDialog = lazy(() => loadPanels().then((all) => ({ default: all.EditApiKeyDialog })))
const RotateApiKeyDialog = lazy(() => loadPanels().then((all) => ({ default: all.RotateApiKeyDialog })))
const RevokeApiKeyConfirm = lazy(() => loadPanels().then((all) => ({ default: all.RevokeApiKeyConfirm })))
const PANELS = { edit: EditApiKeyDialog, rotate: RotateApiKeyDialog, revoke: RevokeApiKeyConfirm }

/** One that has ended is only there to be read; one that holds more than its reader does is theirs to stop, not to change. */
export const ApiKeyActions = withAccess(apiKeys.update, ({ apiKey }: { apiKey: ApiKey }) => {
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
