import { operations } from '@voisol/contract/operations'
import { type FieldError, get } from 'react-hook-form'
import { withAccess } from '../../lib/can.tsx'
import { OperationCheckboxes } from '../../ui/operations-boxes.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { RoleAssignmentForm } from './role-field.tsx'

/** Some operations rather than all of them. */
export const OperationLimitField = withAccess(operations.list, ({ form }: { form: RoleAssignmentForm }) => {
  const chosen = form.watch('operationIds')
  const problem: FieldError | undefined = get(form.formState.errors, 'operationIds')
  const change = (operationIds: string[] | null) =>
    form.setValue('operationIds', operationIds, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <div className="grid gap-3 rounded-card border border-line bg-page p-4">
      <Switch
        label={<span className="font-medium">Limiter à certaines opérations</span>}
        hint="Les droits qui concernent toute l’organisation (utilisateurs, projets, accès au distributeur…) ne sont alors pas donnés."
        checked={Boolean(chosen)}
        onChange={({ target }) => change(target.checked ? [] : null)}
      />
      {chosen && (
        <OperationCheckboxes legend="Opérations auxquelles cette personne accède" chosen={chosen} onChange={change} />
      )}
      {problem && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {problem.message}
        </p>
      )}
    </div>
  )
})
