import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { BUILT_IN_ROLES, ROLES, type RoleRef, roles } from '@voisol/contract/roles'
import { type FieldError, get, type UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { OperationCheckboxes } from '../../../components/operation-choice.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatCount } from '../../../lib/format.ts'
import { exceedsOwnPermissions } from '../../../lib/permission-sets.ts'
import { query } from '../../../lib/queries.ts'
import { useUser } from '../../../lib/session.ts'

/** What somebody may do and where: the same in an invitation and in a change. */
type RoleAssignment = { role: string; operationIds?: string[] | null | undefined }
export type RoleAssignmentForm = Pick<UseFormReturn<RoleAssignment>, 'register' | 'formState' | 'watch' | 'setValue'>

type ListedRole = ReturnType<typeof useRoles>['items'][number]
const describeRole = (role: ListedRole | undefined) =>
  role && (role.purpose || `Défini par votre organisation\u00a0: ${formatCount(role.permissions.length, 'droit')}.`)

const RoleOptions = ({ label, items }: { label: string; items: ListedRole[] }) =>
  items.length > 0 && (
    <optgroup label={label}>
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )

export function RoleAssignmentFields({ form }: { form: RoleAssignmentForm }) {
  const { known, items } = useRoles()
  const isBeyond = useExceedsOwnRights()
  const role = form.watch('role')
  const isLimited = Boolean(form.watch('operationIds'))
  const offeredRoles = items.filter(({ id }) => id === role || !isBeyond(id, isLimited))
  return (
    <>
      <Field form={form} name="role" label="Rôle" hint={describeRole(items.find(({ id }) => id === role))}>
        {/* Drawn again once the company's own are there: a list without the chosen one shows another. */}
        {(control) => (
          <Select
            key={String(known)}
            {...control}
            onChange={(event) => {
              // The portal shows what is one's own: there is nothing to limit.
              if (event.target.value === 'client') form.setValue('operationIds', null)
              return control.onChange(event)
            }}
          >
            <RoleOptions label="Rôles de Voisol" items={offeredRoles.filter(({ builtIn }) => builtIn)} />
            <RoleOptions label="Rôles de votre organisation" items={offeredRoles.filter(({ builtIn }) => !builtIn)} />
          </Select>
        )}
      </Field>
      {role !== 'client' && <OperationLimitField form={form} />}
    </>
  )
}

/** Some operations rather than all of them. */
const OperationLimitField = withAccess(operations.list, ({ form }: { form: RoleAssignmentForm }) => {
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

const BUILT_IN_ROLE_LIST = BUILT_IN_ROLES.map((id) => {
  const { label: name, purpose, permissions } = ROLES[id]
  return { id: id as RoleRef, name, purpose, builtIn: true, permissions } // a name is a reference too
})

/** Those of the product at once, the company's own when they have come and for those who may see them. */
export function useRoles() {
  const enabled = useCan()(roles.list)
  const { data } = useQuery({ ...query(roles.list, {}), enabled })
  return { known: data !== undefined, items: data?.items ?? BUILT_IN_ROLE_LIST }
}

/** Whether a role goes beyond what one holds: neither to be given, nor its people to be changed. */
export function useExceedsOwnRights() {
  const { items } = useRoles()
  const { permissions } = useUser()
  return (id: RoleRef, limited: boolean) =>
    exceedsOwnPermissions(items.find((role) => role.id === id)?.permissions ?? [], permissions, limited)
}
