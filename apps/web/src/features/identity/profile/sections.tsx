import { useQuery } from '@tanstack/react-query'
import { auth, ChangePassword, type CurrentUser } from '@voisol/contract/auth'
import { type Passkey, PasskeyName, passkeys } from '@voisol/contract/passkeys'
import { ProfileUpdate, profile } from '@voisol/contract/profile'
import Download from 'lucide-react/icons/download'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmailConfirmationNotice } from '../../../components/confirm-address-first.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PasswordInput } from '../../../components/password-input.tsx'
import { download } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { canUsePasskeys } from '../../../lib/passkey.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { refreshUser, setUser, useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { AddPasskey, RecoveryCodes, SecondFactorSetup } from './account-security.tsx'

/** How one signs in holds in every company: a session that one company's provider opened does not change it. */
function SingleSignOnNotice({ company }: { company: string }) {
  return (
    <Card title="Sécurité du compte">
      <p className="text-body text-ink-soft">
        Vous êtes connecté(e) par la connexion d’entreprise de «{'\u00a0'}
        {company}
        {'\u00a0'}»{'\u00a0'}: cette session n’ouvre que cette organisation. Pour changer votre mot de passe, votre
        double authentification ou vos clés d’accès, connectez-vous avec votre mot de passe.
      </p>
    </Card>
  )
}

/** One profile for both roles; only the page around it differs, and what a role adds after the identity. */
export function ProfileSections({ children, last }: { children?: ReactNode; last?: ReactNode }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="grid gap-6">
      <ProfileIdentity user={user} />
      {children}
      {user.bySingleSignOn ? (
        <SingleSignOnNotice company={user.companyName} />
      ) : (
        <>
          <PasswordCard />
          <SecondFactorCard user={user} />
          <Passkeys />
        </>
      )}
      <SessionsCard />
      <DataExport />
      {last}
    </div>
  )
}

function DataExport() {
  const [working, setWorking] = useState(false)
  const downloadData = async () => {
    setWorking(true)
    await download(profile.export, {}).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
    setWorking(false)
  }
  return (
    <Card
      title="Mes données"
      description="Tout ce que Voisol garde à votre sujet : compte, mesures, factures, paiements, accords et questions. Une archive de tableaux que tout tableur ouvre, et la même chose pour un programme."
    >
      <Button variant="secondary" icon={<Download aria-hidden="true" />} loading={working} onClick={downloadData}>
        Télécharger mes données
      </Button>
    </Card>
  )
}

function PasswordCard() {
  const change = useAction(auth.changePassword, [auth.sessions])
  const form = useSchemaForm(ChangePassword, {
    defaults: { current: '', password: '' },
    save: async (body) => {
      await change.run({ body })
      form.reset()
      toast({ title: 'Mot de passe changé', description: 'Vos autres sessions ont été fermées.', variant: 'success' })
    },
  })
  return (
    <Card title="Mot de passe" description="Une phrase de plusieurs mots est plus sûre et plus facile à retenir.">
      <form onSubmit={form.submit} noValidate className="grid max-w-xl gap-4">
        <FormErrors form={form} />
        <Field form={form} name="current" label="Mot de passe actuel">
          {(control) => <PasswordInput {...control} />}
        </Field>
        <Field form={form} name="password" label="Nouveau mot de passe">
          {(control) => <PasswordInput {...control} advice />}
        </Field>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Changer le mot de passe
        </Button>
      </form>
    </Card>
  )
}

function ProfileIdentity({ user }: { user: CurrentUser }) {
  const update = useAction(profile.update, [])
  const { firstName, lastName, phone, version } = user
  const form = useSchemaForm(ProfileUpdate, {
    defaults: { firstName, lastName, phone, version },
    save: async (body) => {
      const saved = await update.run({ body })
      setUser(saved)
      form.reset({ firstName: saved.firstName, lastName: saved.lastName, phone: saved.phone, version: saved.version })
      toast({ title: 'Profil enregistré', variant: 'success' })
    },
  })
  return (
    <Card title="Coordonnées" description={`Adresse de connexion\u00a0: ${user.email}`}>
      <form onSubmit={form.submit} noValidate className="grid max-w-xl gap-4">
        <FormErrors form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="firstName" label="Prénom" autoComplete="given-name" />
          <Field form={form} name="lastName" label="Nom" autoComplete="family-name" />
        </div>
        <Field form={form} name="phone" label="Téléphone" type="tel" autoComplete="tel" optional />
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Enregistrer mes coordonnées
        </Button>
      </form>
    </Card>
  )
}

function SessionsCard() {
  const { data, error, refetch } = useQuery(query(auth.sessions, {}))
  const revoke = useAction(auth.revokeSession, [auth.sessions])
  const revokeOthers = useAction(auth.revokeOtherSessions, [auth.sessions])
  const showResult = (work: Promise<string>) =>
    work.then(
      (title) => toast({ title, variant: 'success' }),
      (failure: unknown) =>
        toast({ title: 'Action impossible', description: explainError(failure), variant: 'destructive' }),
    )
  const closeOthers = async () =>
    formatCount((await revokeOthers.run({})).revoked, 'session fermée', 'sessions fermées')
  const others = data?.items.some((session) => !session.current)
  return (
    <Card
      title="Sessions ouvertes"
      description="Une session se ferme d’elle-même après 24 heures sans activité."
      actions={
        others && (
          <Button
            variant="secondary"
            size="small"
            loading={revokeOthers.isPending}
            onClick={() => showResult(closeOthers())}
          >
            Fermer les autres sessions
          </Button>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-16 w-full" />}
      <ul className="divide-y divide-line">
        {data?.items.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-body">
            <span>
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.current && <Badge tone="info">Cet appareil</Badge>}
              </span>
              <span className="text-ink-soft">
                {session.ip} · ouverte le {formatDateTime(session.createdAt)} · active{' '}
                {formatRelativeTime(session.lastSeenAt)}
              </span>
            </span>
            {!session.current && (
              <Button
                variant="quiet"
                size="small"
                onClick={() => showResult(revoke.run({ params: { id: session.id } }).then(() => 'Session fermée'))}
              >
                Fermer
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Both ways out of the second factor ask for the password again. */
function PasswordForm({ action, run }: { action: string; run: (password: string) => Promise<unknown> }) {
  const form = useSchemaForm(auth.disableSecondFactor.body, {
    defaults: { password: '' },
    save: ({ password }) => run(password),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {action}
      </Button>
    </form>
  )
}

function SecondFactorCard({ user }: { user: CurrentUser }) {
  const [codes, setCodes] = useState<string[]>()
  const [dialog, setDialog] = useState<'codes' | 'disable'>()
  const disable = useAction(auth.disableSecondFactor, [])
  const renew = useAction(auth.renewRecoveryCodes, [])
  const close = () => setDialog(undefined)
  const isCodeEnabled = user.secondFactors.includes('code')
  const tone = user.secondFactor ? 'success' : 'warning'
  return (
    <Card
      title="Double authentification"
      description="Un code de votre téléphone s’ajoute au mot de passe."
      actions={
        <Badge tone={tone}>{isCodeEnabled ? 'Activée' : user.secondFactor ? 'Par clé d’accès' : 'Non activée'}</Badge>
      }
    >
      <div className="grid gap-4">
        {codes && <RecoveryCodes codes={codes} />}
        {!isCodeEnabled && <SecondFactorSetup onCodes={setCodes} />}
        {user.secondFactor && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => setDialog('codes')}>
              Renouveler les codes de secours
            </Button>
            {isCodeEnabled && (
              <Button variant="secondary" onClick={() => setDialog('disable')}>
                Désactiver
              </Button>
            )}
          </div>
        )}
      </div>
      <Dialog
        title="Renouveler les codes de secours"
        description="Les anciens codes ne serviront plus."
        open={dialog === 'codes'}
        onOpenChange={close}
      >
        <PasswordForm
          action="Renouveler les codes"
          run={async (password) => {
            setCodes((await renew.run({ body: { password } })).recoveryCodes)
            close()
          }}
        />
      </Dialog>
      <Dialog
        title="Désactiver la double authentification"
        description={
          user.secondFactors.includes('passkey')
            ? 'Vos clés d’accès resteront demandées à la connexion.'
            : 'Votre mot de passe suffira pour vous connecter.'
        }
        open={dialog === 'disable'}
        onOpenChange={close}
      >
        <PasswordForm
          action="Désactiver"
          run={async (password) => {
            await disable.run({ body: { password } })
            await refreshUser()
            setCodes(undefined)
            close()
            toast({ title: 'Double authentification désactivée' })
          }}
        />
      </Dialog>
    </Card>
  )
}

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

const RenamePasskeyFields = z.object({ name: PasskeyName })

function RenamePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useAction(passkeys.rename, [passkeys.list])
  const form = useSchemaForm(RenamePasskeyFields, {
    defaults: { name: passkey.name },
    save: async ({ name }) => {
      await rename.run({ params: { id: passkey.id }, body: { name, version: passkey.version } })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom de la clé" />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Renommer
      </Button>
    </form>
  )
}

function RemovePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const remove = useAction(passkeys.remove, [passkeys.list])
  const form = useSchemaForm(passkeys.remove.body, {
    defaults: { password: '' },
    save: async (body) => {
      await remove.run({ params: { id: passkey.id }, body })
      await refreshUser()
      toast({ title: 'Clé d’accès retirée', description: passkey.name })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" variant="danger" className="justify-self-end" loading={form.formState.isSubmitting}>
        Retirer la clé
      </Button>
    </form>
  )
}

/** The keys that sign in without a password, and stand for a second factor. */
function Passkeys() {
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
