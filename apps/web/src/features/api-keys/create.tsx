import { apiKeys } from '@voisol/contract/api-keys'
import { operations } from '@voisol/contract/operations'
import type { Permission } from '@voisol/contract/permissions'
import { useState } from 'react'
import { type FieldError, get } from 'react-hook-form'
import { Can } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmAddressFirst } from '../../ui/confirm-address-first.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { OperationsBoxes } from '../../ui/operations-boxes.tsx'
import { Switch } from '../../ui/switch.tsx'
import { KeyDraft } from './fields.ts'
import { LimitFields, type LimitForm } from './limit-fields.tsx'
import type { RightsField } from './list.tsx'
import { ShownKey } from './shown.tsx'

const EMPTY = { name: '', permissions: [], operationIds: null, allowedNetworks: '', perSecond: '', perMonth: '' }
const TITLES = 'text-body font-medium'

function useDraft(onMade: (key: string) => void) {
  const create = useAction(apiKeys.create, [apiKeys.list])
  return useSchemaForm(KeyDraft, {
    defaults: { ...EMPTY, expiresOn: '' },
    save: async (body) => onMade((await create.run({ body })).key),
  })
}
type Draft = ReturnType<typeof useDraft>

function Problem({ form, name }: { form: Draft; name: 'permissions' | 'operationIds' }) {
  const problem: FieldError | undefined = get(form.formState.errors, name)
  return problem ? (
    <p role="alert" className="text-[0.8125rem] text-danger">
      {problem.message}
    </p>
  ) : null
}

function Operations({ form }: { form: Draft }) {
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
      {chosen && <OperationsBoxes legend="Opérations que la clé atteint" chosen={chosen} onChange={change} />}
      <Problem form={form} name="operationIds" />
    </div>
  )
}

function CreateForm({ Rights, onMade }: { Rights: RightsField; onMade: (key: string) => void }) {
  const { permissions: held } = useUser()
  const form = useDraft(onMade)
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
      <LimitFields form={form as unknown as LimitForm} /* its fields are among this form's */ />
      <Can call={operations.list}>
        <Operations form={form} />
      </Can>
      <div className="grid gap-1">
        <h3 className={TITLES}>Droits</h3>
        <p className="text-[0.8125rem] text-ink-soft">
          Le moins possible. La clé n’ouvre jamais plus que vos propres droits, et s’arrête avec eux.
        </p>
        <Problem form={form} name="permissions" />
      </div>
      <Rights offered={held} value={rights} onChange={change} />
      <footer className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-card px-6 py-4">
        <p role="status" className="tabular text-body text-ink-soft">
          {plural(rights.length, 'droit choisi', 'droits choisis')}
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
    <CreateForm Rights={Rights} onMade={setSecret} />
  ) : (
    <ConfirmAddressFirst purpose="pour créer une clé" />
  )
  return (
    <Dialog
      title={secret ? 'Clé créée' : 'Créer une clé d’API'}
      description={secret ? undefined : 'Un programme agira en votre nom, dans les limites que vous choisissez.'}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {secret ? <ShownKey secret={secret} note="" onDone={onClose} /> : form}
    </Dialog>
  )
}
