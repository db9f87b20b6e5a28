import { plural } from '../../../lib/format.ts'
import type { Kept } from './take-over.ts'

const SHOWN = 20

/** What the file says otherwise than what was typed: the typed value stands, and one may change it. */
export const KeptValues = ({ kept }: { kept: Kept[] }) =>
  kept.length > 0 && (
    <div role="status" className="grid gap-2 rounded-card bg-primary-soft p-4 text-body">
      <p className="font-medium">
        {plural(kept.length, 'valeur que vous aviez saisie est gardée', 'valeurs que vous aviez saisies sont gardées')}
      </p>
      <ul className="grid gap-1 text-[0.8125rem]">
        {kept.slice(0, SHOWN).map(({ row, field, typed, said }) => (
          <li key={`${row} ${field}`}>
            {row}, {field.toLowerCase()}&nbsp;: «&nbsp;{typed}&nbsp;» et non «&nbsp;{said}&nbsp;».
          </li>
        ))}
        {kept.length > SHOWN && <li>Et {kept.length - SHOWN} autres.</li>}
      </ul>
    </div>
  )
