import { useQuery } from '@tanstack/react-query'
import { type Role, roles } from '@voisol/contract/roles'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { exceedsOwnPermissions, filterVisiblePermissions } from '../../../lib/permission-sets.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import type { RoleDraft } from './role-form.tsx'

const PeopleLink = ({ role: { id, people } }: { role: Role }) =>
  people > 0 ? (
    <Link to={`?role=${id}`} className="text-link">
      {formatCount(people, 'personne')}
    </Link>
  ) : (
    formatCount(people, 'personne')
  )

function RoleRow({ role }: { role: Role }) {
  const rights = filterVisiblePermissions(role.permissions, useUser().permissions)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 py-3 pr-3 pl-5">
      <div className="min-w-0 flex-1 basis-72 text-body">
        <h3 className="font-medium break-words">{role.name}</h3>
        {role.purpose && <p className="text-[0.8125rem] text-ink-soft">{role.purpose}</p>}
      </div>
      <p className="tabular flex min-w-0 flex-1 basis-44 gap-x-6 text-body whitespace-nowrap text-ink-soft sm:w-56 sm:flex-none">
        <span className="w-20 sm:w-24">
          {role.id === 'client' ? 'Le portail' : formatCount(rights.length, 'droit')}
        </span>
        <span>
          <PeopleLink role={role} />
        </span>
      </p>
      <RoleActions role={role} />
    </li>
  )
}

function RoleGroup({ id, title, items, none }: { id: string; title: string; items: Role[]; none?: string }) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="text-base font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      {items.length > 0 ? (
        <ul className={cx(cardClass, 'divide-y divide-line')}>
          {items.map((role) => (
            <RoleRow key={role.id} role={role} />
          ))}
        </ul>
      ) : (
        <p className="prose-width text-body text-ink-soft">{none}</p>
      )}
    </section>
  )
}

/** The roles of the product, then the company's own. */
export function RoleList() {
  const { data, error, refetch } = useQuery({ ...query(roles.list, {}), staleTime: 0 })
  const canDefine = useCan()(roles.create)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      <RoleGroup id="roles-voisol" title="Rôles de Voisol" items={data.items.filter(({ builtIn }) => builtIn)} />
      <RoleGroup
        id="roles-propres"
        title="Rôles de votre organisation"
        items={data.items.filter(({ builtIn }) => !builtIn)}
        none={`Aucun pour l’instant.${canDefine ? ' Définissez le vôtre quand aucun de ceux de Voisol ne convient.' : ''}`}
      />
    </div>
  )
}

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
function RoleActions({ role }: { role: Role }) {
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
