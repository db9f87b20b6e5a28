import { type Role, roles } from '@voisol/contract/roles'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { useCan, withAccess } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { exceedsOwnPermissions } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import type { RoleDraft } from './role-form.tsx'

// The form of a role and its forty-odd boxes come when one is written or read.
const RoleDialog = lazy(() => import('./role-form.tsx'))
const RoleView = lazy(() => import('./role-view.tsx'))

export const NewRoleButton = withAccess(roles.create, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        Définir un rôle
      </Button>
      <Suspense fallback={null}>{open && <RoleDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

function RemoveRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const remove = useAction(roles.remove, [roles.list])
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Supprimer «\u00a0${role.name}\u00a0»\u00a0?`}
      description="Ce rôle ne pourra plus être donné. Cette action est définitive."
      action="Supprimer le rôle"
      onConfirm={async () => {
        await remove.run({ params: { id: role.id } })
        toast({ title: 'Rôle supprimé', description: role.name, variant: 'success' })
      }}
    />
  )
}

type RolePanelName = 'view' | 'edit' | 'copy' | 'remove'

const toRoleDraft = (panel: RolePanelName, role: Role): RoleDraft | undefined =>
  panel === 'edit' ? { role } : panel === 'copy' ? { model: role } : undefined

function RolePanel({ panel, role, onClose }: { panel: RolePanelName; role: Role; onClose: () => void }) {
  const draft = toRoleDraft(panel, role)
  if (panel === 'remove') return <RemoveRole role={role} onClose={onClose} />
  return (
    <Suspense fallback={null}>
      {draft ? <RoleDialog {...draft} onClose={onClose} /> : <RoleView role={role} onClose={onClose} />}
    </Suspense>
  )
}

/** Everybody reads what a role holds; whoever defines roles copies any, and changes those that do not exceed their own. */
export function RoleActions({ role }: { role: Role }) {
  const [panel, setPanel] = useState<RolePanelName>()
  const can = useCan()
  const { permissions: own } = useUser()
  const canChange = can(roles.update) && !role.builtIn && !exceedsOwnPermissions(role.permissions, own)
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Actions pour ${role.name}`}
            icon={<Ellipsis aria-hidden="true" />}
          >
            Actions
          </Button>
        }
      >
        <MenuItem onSelect={() => setPanel('view')}>Voir les droits</MenuItem>
        {canChange && <MenuItem onSelect={() => setPanel('edit')}>Modifier</MenuItem>}
        {can(roles.create) && role.permissions.length > 0 && (
          <MenuItem onSelect={() => setPanel('copy')}>Définir un rôle d’après celui-ci</MenuItem>
        )}
        {canChange && <MenuSeparator />}
        {canChange && (
          <MenuItem tone="danger" onSelect={() => setPanel('remove')}>
            Supprimer
          </MenuItem>
        )}
      </Menu>
      {panel && <RolePanel panel={panel} role={role} onClose={() => setPanel(undefined)} />}
    </>
  )
}
