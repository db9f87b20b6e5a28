import { useQuery } from '@tanstack/react-query'
import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { operations } from '@voisol/contract/operations'
import { type ReactElement, useState } from 'react'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CredentialFields } from './fields.tsx'
import { CredentialForm, listFreeScopes } from './form-schema.ts'

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
