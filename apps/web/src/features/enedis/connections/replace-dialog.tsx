import { useQueryClient } from '@tanstack/react-query'
import { type EnedisCredential, enedis } from '@voisol/contract/enedis'
import { type ReactElement, useState } from 'react'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { CredentialFields } from './fields.tsx'
import { COMPANY_SCOPE, CredentialForm } from './form-schema.ts'
import { getScopeLabel } from './state.ts'

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
