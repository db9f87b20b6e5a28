import { useQuery, useQueryClient } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { roles } from '@voisol/contract/roles'
import { type User, UserUpdate, users } from '@voisol/contract/users'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { Avatar } from '../../../components/avatar.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { refreshUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { RoleAssignmentFields, type RoleAssignmentForm, useExceedsOwnRights, useRoles } from './role-field.tsx'

const USER_STATUS_LABELS: Record<User['status'], { label: string; tone: Tone }> = {
  active: { label: 'Actif', tone: 'success' },
  invited: { label: 'Invitation en attente', tone: 'warning' },
  disabled: { label: 'Désactivé', tone: 'neutral' },
}
const toOptions = <K extends string>(labels: Record<K, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }))
const getUserName = (user: Pick<User, 'firstName' | 'lastName' | 'email'>) =>
  `${user.firstName} ${user.lastName}`.trim() || user.email

const columns: Column<User>[] = [
  {
    header: 'Nom',
    card: 'title',
    sort: 'name',
    cell: (user) => (
      <span className="flex min-w-48 items-center gap-3">
        <Avatar firstName={user.firstName} lastName={user.lastName} size={28} />
        <span className="min-w-0">
          <span className="block font-medium">{getUserName(user)}</span>
          <span className="block text-[0.8125rem] text-ink-soft">{user.email}</span>
        </span>
      </span>
    ),
  },
  {
    header: 'Rôle',
    card: 'primary',
    sort: 'role',
    cell: ({ roleName, operationIds }) => (
      <span className="block min-w-36">
        {roleName}
        {operationIds && (
          <span className="block text-[0.8125rem] text-ink-soft">
            limité à {formatCount(operationIds.length, 'opération')}
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={USER_STATUS_LABELS[status].tone}>{USER_STATUS_LABELS[status].label}</Badge>,
  },
  {
    header: 'Double authentification',
    card: 'primary',
    cell: (user) => (user.secondFactor ? 'Activée' : 'Non activée'),
  },
  {
    header: 'Dernière connexion',
    card: 'primary',
    sort: 'lastSignInAt',
    cell: (user) => (user.lastSignInAt ? formatDateTime(user.lastSignInAt) : 'Jamais'),
  },
]

const STATUS_TEXTS = Object.fromEntries(Object.entries(USER_STATUS_LABELS).map(([key, { label }]) => [key, label]))

export function UserList() {
  const list = useList(users.list)
  const { items, known } = useRoles()
  return (
    <ListScreen
      list={list}
      label="Utilisateurs"
      search="Rechercher un nom ou une adresse"
      columns={columns}
      filters={
        <>
          <Select
            key={String(known)}
            aria-label="Rôle"
            className="sm:w-52"
            value={list.filters.role ?? ''}
            onChange={(event) => list.setFilters({ role: event.target.value })}
            options={[
              { value: '', label: 'Tous les rôles' },
              ...items.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <FilterChips
            label="État"
            options={toOptions(STATUS_TEXTS)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        </>
      }
      exports={
        <ExportMenu
          endpoint={users.export}
          input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
        />
      }
      rowActions={(user) => <UserActions user={user} />}
      empty={
        <EmptyState
          title="Aucun utilisateur"
          why="Les personnes invitées apparaissent ici, avec leur rôle et leur dernière connexion."
          because="chosen-here"
        />
      }
    />
  )
}

type Panel = 'edit' | 'sessions' | 'disable' | 'second-factor' | 'revoke' | undefined

function UserMenu({ user }: { user: User }) {
  const [panel, setPanel] = useState<Panel>()
  const input = { params: { id: user.id } }
  const disable = useAction(users.disable, [users.list])
  const enable = useAction(users.enable, [users.list])
  const resend = useAction(users.resendInvitation, [users.list])
  const reset = useAction(users.resetSecondFactor, [users.list])
  const revoke = useAction(users.revokeSessions, [users.sessions])
  const showResult = (work: Promise<unknown>, title: string) =>
    work.then(
      () => toast({ title, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Action impossible', description: explainError(error), variant: 'destructive' }),
    )
  const renderConfirm = (
    which: Panel,
    title: string,
    description: string,
    action: string,
    onConfirm: () => Promise<unknown>,
  ) => (
    <Confirm
      open={panel === which}
      onOpenChange={() => setPanel(undefined)}
      title={title}
      description={description}
      action={action}
      onConfirm={onConfirm}
    />
  )
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Actions pour ${getUserName(user)}`}
            icon={<Ellipsis aria-hidden="true" />}
          >
            Actions
          </Button>
        }
      >
        <MenuItem onSelect={() => setPanel('edit')}>Modifier</MenuItem>
        <MenuItem onSelect={() => setPanel('sessions')}>Sessions ouvertes</MenuItem>
        {user.status === 'invited' && (
          <MenuItem onSelect={() => showResult(resend.run(input), 'Invitation renvoyée')}>
            Renvoyer l’invitation
          </MenuItem>
        )}
        {user.secondFactor && (
          <MenuItem onSelect={() => setPanel('second-factor')}>Retirer la double authentification</MenuItem>
        )}
        <MenuSeparator />
        <MenuItem onSelect={() => setPanel('revoke')}>Fermer ses sessions</MenuItem>
        {user.status === 'disabled' ? (
          <MenuItem onSelect={() => showResult(enable.run(input), 'Compte réactivé')}>Réactiver</MenuItem>
        ) : (
          <MenuItem tone="danger" onSelect={() => setPanel('disable')}>
            Désactiver
          </MenuItem>
        )}
      </Menu>
      {panel === 'edit' && <EditUserDialog user={user} onClose={() => setPanel(undefined)} />}
      {panel === 'sessions' && <UserSessionsDialog user={user} onClose={() => setPanel(undefined)} />}
      {renderConfirm(
        'disable',
        'Désactiver ce compte\u00a0?',
        `${getUserName(user)} perdra l’accès immédiatement. Le compte pourra être réactivé.`,
        'Désactiver le compte',
        () => disable.run(input),
      )}
      {renderConfirm(
        'second-factor',
        'Retirer la double authentification\u00a0?',
        `${getUserName(user)} se connectera avec son seul mot de passe, jusqu’à une nouvelle activation.`,
        'Retirer',
        () => reset.run(input),
      )}
      {renderConfirm(
        'revoke',
        'Fermer ses sessions\u00a0?',
        `${getUserName(user)} devra se reconnecter sur tous ses appareils.`,
        'Fermer les sessions',
        async () => {
          const { revoked } = await revoke.run(input)
          toast({ title: `${formatCount(revoked, 'session fermée', 'sessions fermées')}`, variant: 'success' })
        },
      )}
    </>
  )
}

function SessionsButton({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Sessions ${withDe(getUserName(user))}`}
        onClick={() => setOpen(true)}
      >
        Sessions
      </Button>
      {open && <UserSessionsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Whoever holds more than the reader is not the reader's to change. */
function UserActions({ user }: { user: User }) {
  const isBeyond = useExceedsOwnRights()
  const canChange = useCan()(users.update) && !isBeyond(user.role, user.operationIds !== null)
  return canChange ? <UserMenu user={user} /> : <SessionsButton user={user} />
}

function UserSessionList({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(query(users.sessions, { params: { id: user.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full" />
  if (!data.items.length) return <p className="text-body text-ink-soft">Aucune session ouverte.</p>
  return (
    <ul className="divide-y divide-line">
      {data.items.map((session) => (
        <li key={session.id} className="py-3 text-body">
          <span className="block font-medium">{session.device}</span>
          <span className="text-ink-soft">
            {session.ip} · ouverte le {formatDateTime(session.createdAt)} · active{' '}
            {formatRelativeTime(session.lastSeenAt)}
          </span>
        </li>
      ))}
    </ul>
  )
}

const UserSessionsDialog = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <Dialog title={`Sessions ${withDe(getUserName(user))}`} open onOpenChange={(open) => !open && onClose()}>
    <UserSessionList user={user} />
  </Dialog>
)

function EditUserForm({ user, onDone }: { user: User; onDone: () => void }) {
  const client = useQueryClient()
  const update = useAction(users.update, [users.list, roles.list])
  const { firstName, lastName, phone, role, operationIds, version } = user
  const form = useSchemaForm(UserUpdate, {
    defaults: { firstName, lastName, phone, role, operationIds, version },
    save: async (body) => {
      await update.run({ params: { id: user.id }, body }).catch((error) => {
        // The list showed an older state than the server's: opened again, the form starts from the present one.
        void client.invalidateQueries({ queryKey: [users.list.path] })
        throw error
      })
      // It may be one's own place that has just changed.
      await refreshUser()
      toast({ title: 'Modification enregistrée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="firstName" label="Prénom" autoComplete="off" />
        <Field form={form} name="lastName" label="Nom" autoComplete="off" />
      </div>
      <Field form={form} name="phone" label="Téléphone" type="tel" autoComplete="off" optional />
      <RoleAssignmentFields form={form as unknown as RoleAssignmentForm} /* its fields are among this form's */ />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer
      </Button>
    </form>
  )
}

const EditUserDialog = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <Dialog title={getUserName(user)} description={user.email} open onOpenChange={(open) => !open && onClose()}>
    <EditUserForm user={user} onDone={onClose} />
  </Dialog>
)
