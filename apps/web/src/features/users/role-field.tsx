import type { UseFormReturn } from 'react-hook-form'
import { plural } from '../../lib/format.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { LimitField } from './limit-field.tsx'
import { useIsBeyond, useRoles } from './use-roles.ts'

/** What somebody may do and where: the same in an invitation and in a change. */
export type Place = { role: string; operationIds?: string[] | null | undefined }
export type PlaceForm = Pick<UseFormReturn<Place>, 'register' | 'formState' | 'watch' | 'setValue'>

type Listed = ReturnType<typeof useRoles>['items'][number]
const purposeOf = (role: Listed | undefined) =>
  role && (role.purpose || `Défini par votre organisation\u00a0: ${plural(role.permissions.length, 'droit')}.`)

const Options = ({ label, items }: { label: string; items: Listed[] }) =>
  items.length > 0 && (
    <optgroup label={label}>
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )

export function PlaceFields({ form }: { form: PlaceForm }) {
  const { known, items } = useRoles()
  const isBeyond = useIsBeyond()
  const role = form.watch('role')
  const limited = Boolean(form.watch('operationIds'))
  const offered = items.filter(({ id }) => id === role || !isBeyond(id, limited))
  return (
    <>
      <Field form={form} name="role" label="Rôle" hint={purposeOf(items.find(({ id }) => id === role))}>
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
            <Options label="Rôles de Voisol" items={offered.filter(({ builtIn }) => builtIn)} />
            <Options label="Rôles de votre organisation" items={offered.filter(({ builtIn }) => !builtIn)} />
          </Select>
        )}
      </Field>
      {role !== 'client' && <LimitField form={form} />}
    </>
  )
}
