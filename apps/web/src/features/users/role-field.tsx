import type { UseFormReturn } from 'react-hook-form'
import { formatCount } from '../../lib/format.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { OperationLimitField } from './limit-field.tsx'
import { useExceedsOwnRights, useRoles } from './use-roles.ts'

/** What somebody may do and where: the same in an invitation and in a change. */
export type RoleAssignment = { role: string; operationIds?: string[] | null | undefined }
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
