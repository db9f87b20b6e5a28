import { useQuery } from '@tanstack/react-query'
import { type Passkey, passkeys } from '@voisol/contract/passkeys'
import { useState } from 'react'
import { formatDateTime, formatRelativeTime } from '../../lib/format.ts'
import { canUsePasskeys } from '../../lib/passkey.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmailConfirmationNotice } from '../../ui/confirm-address-first.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddPasskey, RemovePasskey, RenamePasskey } from './passkey-forms.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type OpenPasskeyDialog = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey }

const TITLES = { add: 'Ajouter une clé d’accès', rename: 'Renommer la clé d’accès', remove: 'Retirer la clé d’accès' }
const DESCRIPTIONS = {
  add: 'Votre appareil vous demandera ensuite votre empreinte, votre visage, son code ou votre clé de sécurité.',
  rename: 'Le nom ne sert qu’à vous.',
  remove: 'Elle ne permettra plus de vous connecter. Retirez-la aussi des réglages de votre appareil.',
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: OpenPasskeyDialog) => void }) {
  const { name, createdAt, lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 text-body">
      <span>
        <span className="font-medium">{name}</span>
        <span className="block text-ink-soft">
          Ajoutée le {formatDateTime(createdAt)} ·{' '}
          {lastUsedAt ? `utilisée ${formatRelativeTime(lastUsedAt)}` : 'jamais utilisée'}
        </span>
      </span>
      <span className="flex gap-1">
        <Button
          variant="quiet"
          size="small"
          aria-label={`Renommer\u00a0: ${name}`}
          onClick={() => onOpen({ what: 'rename', passkey })}
        >
          Renommer
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Retirer\u00a0: ${name}`}
          onClick={() => onOpen({ what: 'remove', passkey })}
        >
          Retirer
        </Button>
      </span>
    </li>
  )
}

/** The keys that sign in without a password, and stand for a second factor. */
export function Passkeys() {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(query(passkeys.list, {}))
  const [open, setOpen] = useState<OpenPasskeyDialog>()
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => setOpen(undefined)
  const handleAdded = (newCodes: string[] | null) => {
    if (newCodes) setCodes(newCodes)
    close()
  }
  return (
    <Card
      title="Clés d’accès"
      description="Connectez-vous sans mot de passe, par empreinte, visage ou code de l’appareil."
      actions={
        canUsePasskeys() &&
        user?.emailVerified !== false && (
          <Button variant="secondary" size="small" onClick={() => setOpen({ what: 'add' })}>
            Ajouter une clé d’accès
          </Button>
        )
      }
    >
      <div className="grid gap-4">
        {codes && <RecoveryCodes codes={codes} />}
        {user?.emailVerified === false && <EmailConfirmationNotice purpose="pour ajouter une clé d’accès" />}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-12 w-full" />}
        {data?.items.length === 0 && (
          <p className="text-body text-ink-soft">
            {canUsePasskeys()
              ? 'Aucune clé pour l’instant.'
              : 'Ce navigateur, à cette adresse, ne permet pas d’en ajouter.'}
          </p>
        )}
        <ul className="divide-y divide-line empty:hidden">
          {data?.items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
          ))}
        </ul>
      </div>
      <Dialog
        title={TITLES[open?.what ?? 'add']}
        description={DESCRIPTIONS[open?.what ?? 'add']}
        open={open !== undefined}
        onOpenChange={close}
      >
        {open?.what === 'add' && <AddPasskey onAdded={handleAdded} />}
        {open?.what === 'rename' && <RenamePasskey passkey={open.passkey} onDone={close} />}
        {open?.what === 'remove' && <RemovePasskey passkey={open.passkey} onDone={close} />}
      </Dialog>
    </Card>
  )
}
