import type { Shipment } from '@voisol/contract/connections'
import { type FieldError, get } from 'react-hook-form'
import type { z } from 'zod'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { ConnectionFormState } from './fields.tsx'

type OfferedShipments = z.infer<typeof Shipment>[]
const UNREADABLE_HINT = 'Vous ne pouvez pas le lire\u00a0: décochez-le pour enregistrer.'

/** What leaves by this connection. What somebody else chose and its reader may not read is named, not hidden. */
export function ShipmentBoxes({ form, offered }: { form: ConnectionFormState; offered: OfferedShipments }) {
  const chosen = form.watch('shipments') ?? []
  const foreign = (form.formState.defaultValues?.shipments ?? []).flatMap((id) =>
    id && !offered.some((one) => one.id === id) ? [{ id, label: id, about: UNREADABLE_HINT }] : [],
  )
  const problem: FieldError | undefined = get(form.formState.errors, 'shipments')
  return (
    <fieldset className="grid gap-x-8 gap-y-2.5 sm:grid-cols-2">
      <legend className="mb-2 text-body font-medium">Ce qui est envoyé</legend>
      {[...offered, ...foreign].map(({ id, label, about }) => (
        <Checkbox
          key={id}
          label={label}
          hint={about}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            form.setValue('shipments', target.checked ? [...chosen, id] : chosen.filter((one) => one !== id), {
              shouldDirty: true,
            })
          }
        />
      ))}
      {problem && <p className="text-[0.8125rem] text-danger">{problem.message}</p>}
    </fieldset>
  )
}
