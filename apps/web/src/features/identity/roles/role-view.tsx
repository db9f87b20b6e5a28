import type { Role } from '@voisol/contract/roles'
import { Dialog } from '../../../components/dialog.tsx'
import { formatCount } from '../../../lib/format.ts'
import { filterVisiblePermissions } from '../../../lib/permission-sets.ts'
import { useUser } from '../../../lib/session.ts'
import { RightList } from './rights.tsx'

/** What a role holds, in words. */
export default function RoleView({ role, onClose }: { role: Role; onClose: () => void }) {
  const { name, purpose } = role
  const permissions = filterVisiblePermissions(role.permissions, useUser().permissions)
  return (
    <Dialog
      title={name}
      description={purpose || formatCount(permissions.length, 'droit')}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {permissions.length > 0 ? (
        <RightList rights={permissions} />
      ) : (
        <p className="text-body text-ink-soft">
          Aucun droit au back-office&nbsp;: cette personne a le portail, et n’y voit que ce qui la concerne.
        </p>
      )}
    </Dialog>
  )
}
