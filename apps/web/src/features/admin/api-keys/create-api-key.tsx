import { apiKeys } from '@voisol/contract/api-keys'
import { operations } from '@voisol/contract/operations'
import type { Permission } from '@voisol/contract/permissions'
import { useState } from 'react'
import { type FieldError, get } from 'react-hook-form'
import { Button } from '../../../components/button.tsx'
import { EmailConfirmationNotice } from '../../../components/confirm-address-first.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { OperationCheckboxes } from '../../../components/operation-choice.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { Can } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'
import { ApiKeyDraft, ApiKeyLimitFields, type ApiKeyLimitForm, ApiKeySecret } from './api-key-fields.tsx'
import type { RightsField } from './list.tsx'

const EMPTY_FORM = { name: '', permissions: [], operationIds: null, allowedNetworks: '', perSecond: '', perMonth: '' }
const titleClass = 'text-body font-medium'

function useApiKeyForm(onMade: (key: string) => void) {
  const create = useAction(apiKeys.create, [apiKeys.list])
  return useSchemaForm(ApiKeyDraft, {
    defaults: { ...EMPTY_FORM, expiresOn: '' },
    save: async (body) => onMade((await create.run({ body })).key),
  })
}
type ApiKeyForm = ReturnType<typeof useApiKeyForm>

function FieldProblem({ form, name }: { form: ApiKeyForm; name: 'permissions' | 'operationIds' }) {
  const problem: FieldError | undefined = get(form.formState.errors, name)
  return problem ? (
    <p role="alert" className="text-[0.8125rem] text-danger">
      {problem.message}
    </p>
  ) : null
}

function OperationsField({ form }: { form: ApiKeyForm }) {
  const chosen = form.watch('operationIds') ?? null
  const change = (ids: string[] | null) => form.setValue('operationIds', ids, { shouldDirty: true })
  return (
    <div className="grid gap-3 rounded-card border border-line bg-page p-4">
      <Switch
        label={<span className="font-medium">Limiter à certaines opérations</span>}
        hint="Les droits qui concernent toute l’organisation ne sont alors pas donnés."
        checked={chosen !== null}
        onChange={({ target }) => change(target.checked ? [] : null)}
      />
      {chosen && <OperationCheckboxes legend="Opérations que la clé atteint" chosen={chosen} onChange={change} />}
      <FieldProblem form={form} name="operationIds" />
    </div>
  )
}

function CreateApiKeyForm({ Rights, onMade }: { Rights: RightsField; onMade: (key: string) => void }) {
  const { permissions: grantedRights } = useUser()
  const form = useApiKeyForm(onMade)
  const rights = form.watch('permissions')
  const change = (next: Permission[]) =>
    form.setValue('permissions', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field
        form={form}
        name="name"
        label="Nom de la clé"
        placeholder="Tableur de la comptabilité"
        autoComplete="off"
        hint={'Le programme qui l’emploiera\u00a0: c’est sous ce nom que le journal la cite.'}
      />
      <ApiKeyLimitFields form={form as unknown as ApiKeyLimitForm} /* its fields are among this form's */ />
      <Can call={operations.list}>
        <OperationsField form={form} />
      </Can>
      <div className="grid gap-1">
        <h3 className={titleClass}>Droits</h3>
        <p className="text-[0.8125rem] text-ink-soft">
          Le moins possible. La clé n’ouvre jamais plus que vos propres droits, et s’arrête avec eux.
        </p>
        <FieldProblem form={form} name="permissions" />
      </div>
      <Rights offered={grantedRights} value={rights} onChange={change} />
      <footer className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-card px-6 py-4">
        <p role="status" className="tabular text-body text-ink-soft">
          {formatCount(rights.length, 'droit choisi', 'droits choisis')}
        </p>
        <Button type="submit" loading={form.formState.isSubmitting}>
          Créer la clé
        </Button>
      </footer>
    </form>
  )
}

/** A key is made, then shown once. */
export default function CreateDialog({ Rights, onClose }: { Rights: RightsField; onClose: () => void }) {
  const [secret, setSecret] = useState('')
  const { emailVerified } = useUser()
  const form = emailVerified ? (
    <CreateApiKeyForm Rights={Rights} onMade={setSecret} />
  ) : (
    <EmailConfirmationNotice purpose="pour créer une clé" />
  )
  return (
    <Dialog
      title={secret ? 'Clé créée' : 'Créer une clé d’API'}
      description={secret ? undefined : 'Un programme agira en votre nom, dans les limites que vous choisissez.'}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {secret ? <ApiKeySecret secret={secret} note="" onDone={onClose} /> : form}
    </Dialog>
  )
}
