import { STATUS_PARTS, type StatusPartName } from '@voisol/contract/incident-states'
import { z } from 'zod'
import { Checkbox } from '../../../components/checkbox.tsx'
import { parseParisInput } from '../../../lib/paris-time.ts'

const PART_OPTIONS = Object.entries(STATUS_PARTS) as [StatusPartName, string][] // entries() forgets the key type

type Props = { value: StatusPartName[]; problem: string | undefined; onChange: (next: StatusPartName[]) => void }

export const PartCheckboxes = ({ value, problem, onChange }: Props) => (
  <fieldset className="grid gap-2">
    <legend className="mb-2 text-body font-medium">Parties concernées</legend>
    <div className="grid gap-2 sm:grid-cols-2">
      {PART_OPTIONS.map(([part, label]) => (
        <Checkbox
          key={part}
          label={label}
          checked={value.includes(part)}
          onChange={({ target }) => onChange(target.checked ? [...value, part] : value.filter((one) => one !== part))}
        />
      ))}
    </div>
    {problem && <p className="text-[0.8125rem] text-danger">{problem}</p>}
  </fieldset>
)

/** A moment as a form types it, on the clock of Paris. */
export const ParisDateTimeField = z
  .string()
  .refine((text) => parseParisInput(text) !== null, 'Date et heure attendues, par exemple 31/12/2026 18:30.')
  .transform((text) => parseParisInput(text) ?? '')
