import { auth } from '@voisol/contract/auth'
import { PasskeyName, passkeys } from '@voisol/contract/passkeys'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { EmailConfirmationNotice } from '../../../components/confirm-address-first.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { CodeInput, PasswordInput } from '../../../components/password-input.tsx'
import {
  Reauthentication,
  reauthenticationFields,
  useReauthenticationForm,
} from '../../../components/reauthentication.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { createPasskey } from '../../../lib/passkey.ts'
import { useAction } from '../../../lib/queries.ts'
import { refreshUser, useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

const toQrCodeUrl = (uri: string) => `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(uri))}`

function EnableSecondFactorForm({
  secret,
  uri,
  onCodes,
}: {
  secret: string
  uri: string
  onCodes: (codes: string[]) => void
}) {
  const enable = useAction(auth.enableSecondFactor, [])
  const form = useSchemaForm(auth.enableSecondFactor.body, {
    defaults: { code: '' },
    save: async (body) => {
      const { recoveryCodes } = await enable.run({ body })
      onCodes(recoveryCodes)
      await refreshUser()
    },
  })
  return (
    <div className="grid gap-6 sm:grid-cols-[auto_1fr]">
      <img
        src={toQrCodeUrl(uri)}
        alt="Code QR à lire avec votre application d’authentification"
        className="size-44 rounded-control border border-line"
      />
      <form onSubmit={form.submit} noValidate className="grid content-start gap-4">
        <FormErrors form={form} />
        <p className="text-body text-ink-soft">
          Lisez ce code avec une application d’authentification, ou saisissez-y la clé{' '}
          <code className="break-all text-ink">{secret}</code> <CopyButton text={secret} />
        </p>
        <Field form={form} name="code" label="Code à six chiffres">
          {(control) => <CodeInput {...control} />}
        </Field>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Activer
        </Button>
      </form>
    </div>
  )
}

const ProofForm = z.object(reauthenticationFields)
type PendingSecondFactor = { secret: string; uri: string }

/** A session that was left open must not be enough to lock its owner out. */
function StartSecondFactorForm({ onStarted }: { onStarted: (pending: PendingSecondFactor) => void }) {
  const start = useAction(auth.startSecondFactor, [])
  const form = useReauthenticationForm(ProofForm, {
    defaults: { password: '' },
    save: async (_, body) => onStarted(await start.run({ body })),
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Reauthentication form={form} action="Configurer la double authentification" align="start" />
    </form>
  )
}

/** From « préparer » to the first code. */
export function SecondFactorSetup({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [pending, setPending] = useState<PendingSecondFactor>()
  const { user } = useSession()
  if (user?.emailVerified === false)
    return <EmailConfirmationNotice purpose="pour activer la double authentification" />
  return pending ? (
    <EnableSecondFactorForm {...pending} onCodes={onCodes} />
  ) : (
    <StartSecondFactorForm onStarted={setPending} />
  )
}

/** Shown once: the server keeps only their hashes. */
export const RecoveryCodes = ({ codes }: { codes: string[] }) => (
  <div className="grid gap-3 rounded-control border border-line bg-page p-4">
    <p className="text-body">
      Gardez ces codes de secours en lieu sûr&nbsp;: chacun remplace votre téléphone ou votre clé d’accès, une seule
      fois. Ils ne seront plus affichés.
    </p>
    <ul className="tabular grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-body sm:grid-cols-3">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div>
      <CopyButton text={codes.join('\n')} label="Copier les codes" />
    </div>
  </div>
)

const AddPasskeyFields = z.object({ name: PasskeyName, password: auth.disableSecondFactor.body.shape.password })

/** A name and the password, then the device asks for the rest. */
export function AddPasskey({ onAdded }: { onAdded: (codes: string[] | null) => void }) {
  const prepare = useAction(passkeys.prepare, [])
  const add = useAction(passkeys.add, [passkeys.list])
  const form = useSchemaForm(AddPasskeyFields, {
    defaults: { name: '', password: '' },
    save: async ({ name, password }) => {
      const credential = await createPasskey(await prepare.run({ body: { password } }))
      const { recoveryCodes } = await add.run({ body: { name, credential } })
      onAdded(recoveryCodes)
      await refreshUser()
      toast({ title: 'Clé d’accès ajoutée', description: name, variant: 'success' })
    },
  })
  const { user } = useSession()
  if (user?.emailVerified === false) return <EmailConfirmationNotice purpose="pour ajouter une clé d’accès" />
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field
        form={form}
        name="name"
        label="Nom de la clé"
        hint="Pour la reconnaître, par exemple «&nbsp;Téléphone&nbsp;»."
      />
      <Field form={form} name="password" label="Mot de passe">
        {(control) => <PasswordInput {...control} />}
      </Field>
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Ajouter la clé d’accès
      </Button>
    </form>
  )
}
