import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CredentialDraft, type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { operations } from '@voisol/contract/operations'
import { Id } from '@voisol/contract/primitives'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { PasswordInput } from '../../../../components/password-input.tsx'
import { RadioGroup } from '../../../../components/radio-group.tsx'
import { useCan, withAccess } from '../../../../lib/can.tsx'
import { BACKEND_LABELS, ENVIRONMENT_LABELS } from '../../../../lib/distributor-labels.ts'
import { toChoices } from '../../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { getScopeLabel } from './connection-state.ts'

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
function CredentialFields({ form, children }: { form: CredentialFormState; children?: ReactNode }) {
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

/** The contract's own rules; a select says « the whole company » with an empty value. */
const CredentialForm = CredentialDraft.extend({
  operationId: z.union([z.literal('').transform(() => null), Id]),
})

const COMPANY_SCOPE = ''

type NamedOperation = { id: string; name: string }
/** What has no credentials yet: the company as a whole, and each of its operations. */
function listFreeScopes(operations: NamedOperation[], credentials: Pick<EnedisCredential, 'operationId'>[]) {
  const taken = new Set(credentials.map(({ operationId }) => operationId ?? COMPANY_SCOPE))
  return [
    { value: COMPANY_SCOPE, label: 'Toute l’entreprise' },
    ...operations.map(({ id, name }) => ({ value: id, label: name })),
  ].filter(({ value }) => !taken.has(value))
}

type ScopeOption = { value: string; label: string }

function AddCredentialForm({ scopes, onDone }: { scopes: ScopeOption[]; onDone: () => void }) {
  const save = useAction(enedis.save, [enedis.overview])
  const form = useSchemaForm(CredentialForm, {
    defaults: {
      operationId: scopes[0]?.value ?? '',
      environment: 'production',
      backend: 'dataconnect-v2',
      clientId: '',
      clientSecret: '',
    },
    save: async (body) => {
      await save.run({ body })
      toast({ title: 'Identifiants testés et enregistrés', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <CredentialFields form={form}>
        <Field form={form} name="operationId" label="Pour">
          {(control) => <Select {...control} options={scopes} />}
        </Field>
      </CredentialFields>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Tester et enregistrer
      </Button>
    </form>
  )
}

function AddCredentialBody({ credentials, onDone }: { credentials: EnedisCredential[]; onDone: () => void }) {
  const enabled = useCan()(operations.list)
  const { data, error, refetch } = useQuery({
    ...query(operations.list, { query: { size: 100, sort: 'name' } }),
    enabled,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (enabled && !data) return <Skeleton className="h-80 w-full" />
  const scopes = listFreeScopes(data?.items ?? [], credentials)
  if (scopes.length === 0)
    return (
      <p className="text-body text-ink-soft">
        L’entreprise et chacune de ses opérations ont déjà des identifiants&nbsp;: remplacez ceux que vous voulez
        changer.
      </p>
    )
  return <AddCredentialForm scopes={scopes} onDone={onDone} />
}

export const AddCredentialDialog = withAccess(
  enedis.save,
  ({ credentials, trigger }: { credentials: EnedisCredential[]; trigger: ReactElement<object> }) => {
    const [open, setOpen] = useState(false)
    return (
      <Dialog
        title="Ajouter des identifiants"
        description="Ceux de votre application sur le portail du distributeur."
        open={open}
        onOpenChange={setOpen}
        trigger={trigger}
      >
        <AddCredentialBody credentials={credentials} onDone={() => setOpen(false)} />
      </Dialog>
    )
  },
)

function ReplaceCredentialForm({ credential, onDone }: { credential: EnedisCredential; onDone: () => void }) {
  const client = useQueryClient()
  const replace = useAction(enedis.replace, [enedis.overview])
  const { id, operationId, environment, backend, version } = credential
  const form = useSchemaForm(CredentialForm, {
    defaults: { operationId: operationId ?? COMPANY_SCOPE, environment, backend, clientId: '', clientSecret: '' },
    save: async ({ operationId: _, ...body }) => {
      await replace.run({ params: { id }, body: { ...body, version } }).catch((error) => {
        // Somebody else may have replaced them: the card behind shows the present state.
        void client.invalidateQueries({ queryKey: [enedis.overview.path] })
        throw error
      })
      toast({ title: 'Identifiants remplacés', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <CredentialFields form={form} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Tester et remplacer
      </Button>
    </form>
  )
}

export function ReplaceCredentialDialog({
  credential,
  trigger,
}: {
  credential: EnedisCredential
  trigger: ReactElement<object>
}) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Remplacer les identifiants"
      description={`${getScopeLabel(credential)}\u00a0: les anciens servent jusqu’à ce que les nouveaux aient été testés.`}
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
    >
      <ReplaceCredentialForm credential={credential} onDone={() => setOpen(false)} />
    </Dialog>
  )
}
