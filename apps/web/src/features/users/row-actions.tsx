import { withDe } from '@voisol/contract/elision'
import { type User, users } from '@voisol/contract/users'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { EditUserDialog } from './edit.tsx'
import { getUserName } from './labels.ts'
import { UserSessionsDialog } from './sessions.tsx'
import { useExceedsOwnRights } from './use-roles.ts'

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
export function UserActions({ user }: { user: User }) {
  const isBeyond = useExceedsOwnRights()
  const canChange = useCan()(users.update) && !isBeyond(user.role, user.operationIds !== null)
  return canChange ? <UserMenu user={user} /> : <SessionsButton user={user} />
}
