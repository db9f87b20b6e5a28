import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { BACKEND_LABELS, ENVIRONMENT_LABELS } from '../../../lib/distributor-labels.ts'
import { toChoices } from '../../../lib/energy-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { Select } from '../../../ui/select.tsx'
import type { CredentialForm } from './form-schema.ts'

type CredentialFormState = UseFormReturn<z.input<typeof CredentialForm>, unknown, z.output<typeof CredentialForm>>

/** What the sandbox that comes with the product answers to. */
const SANDBOX_CREDENTIAL = 'bac-a-sable'

const ENVIRONMENT_OPTIONS = Object.entries(ENVIRONMENT_LABELS).map(([value, { label, meaning }]) => ({
  value,
  label,
  hint: meaning,
}))

function SandboxHint({ form }: { form: CredentialFormState }) {
  const fill = () => {
    form.setValue('clientId', SANDBOX_CREDENTIAL, { shouldDirty: true })
    form.setValue('clientSecret', SANDBOX_CREDENTIAL, { shouldDirty: true })
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-page p-3 text-[0.8125rem] text-ink-soft">
      <span className="min-w-0 grow basis-60">
        Le bac à sable local reconnaît <code>{SANDBOX_CREDENTIAL}</code>, comme identifiant et comme secret.
      </span>
      <Button variant="secondary" size="small" onClick={fill}>
        Les remplir
      </Button>
    </p>
  )
}

/** Where calls go, through which interface, and who they say they are. */
export function CredentialFields({ form, children }: { form: CredentialFormState; children?: ReactNode }) {
  const isLocal = form.watch('environment') === 'local'
  return (
    <>
      {children}
      <RadioGroup label="Environnement" options={ENVIRONMENT_OPTIONS} {...form.register('environment')} />
      <Field
        form={form}
        name="backend"
        label="Interface des mesures"
        hint="Les conventions viennent toujours de l’interface d’autoconsommation collective, version 4."
      >
        {(control) => <Select {...control} options={toChoices(BACKEND_LABELS)} />}
      </Field>
      {isLocal && <SandboxHint form={form} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="clientId" label="Identifiant client" autoComplete="off" />
        <Field form={form} name="clientSecret" label="Secret client">
          {(control) => <PasswordInput {...control} autoComplete="off" what="le secret" />}
        </Field>
      </div>
      <p className="text-[0.8125rem] text-ink-soft">
        Les identifiants sont testés avant d’être enregistrés, puis gardés chiffrés&nbsp;: ils ne sont plus jamais
        affichés.
      </p>
    </>
  )
}
