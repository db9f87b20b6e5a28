import type { Point } from '@voisol/contract/points'
import ListFilter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { formatPrm, getMeterSideLabel } from '../../lib/energy-labels.ts'
import { formatCount } from '../../lib/format.ts'
import { formatPointName } from '../../lib/point-name.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Link } from '../../ui/link.tsx'
import { Popover } from '../../ui/popover.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { MAX_COMPARED_POINTS } from './choice.ts'
import { createPointMatcher } from './search.ts'

type PickerProps = { points: Point[]; chosen: Point[]; onChange: (ids: string[]) => void }

const VISIBLE_POINTS = 60

function PickerList({ points, chosen, onChange }: PickerProps) {
  const [text, setText] = useState('')
  const matches = createPointMatcher(text)
  const matchingPoints = points.filter((point) => matches(`${point.label} ${point.participantName}`, point.prm))
  // The address follows a moment later: what was ticked shows at once.
  const [ids, setIds] = useState(() => chosen.map(({ id }) => id))
  const change = (next: string[]) => {
    setIds(next)
    onChange(next)
  }
  const full = ids.length >= MAX_COMPARED_POINTS
  return (
    <div className="grid gap-3">
      <SearchBox label="Rechercher un point" value={text} onSearch={setText} />
      <ul aria-label="Points de l’opération" className="grid max-h-72 gap-2.5 overflow-y-auto py-1">
        {matchingPoints.slice(0, VISIBLE_POINTS).map((point) => (
          <li key={point.id}>
            <Checkbox
              label={formatPointName(point)}
              hint={`${getMeterSideLabel(point)} · ${formatPrm(point.prm)}`}
              checked={ids.includes(point.id)}
              disabled={full && !ids.includes(point.id)}
              onChange={(event) =>
                change(event.target.checked ? [...ids, point.id] : ids.filter((id) => id !== point.id))
              }
            />
          </li>
        ))}
      </ul>
      <p className="text-[0.8125rem] text-ink-soft">
        {matchingPoints.length === 0 && 'Aucun point ne correspond.'}
        {matchingPoints.length > VISIBLE_POINTS &&
          `${formatCount(matchingPoints.length - VISIBLE_POINTS, 'autre point', 'autres points')}\u00a0: précisez la recherche. `}
        {matchingPoints.length > 0 && `Jusqu’à ${MAX_COMPARED_POINTS} points à la fois.`}
      </p>
    </div>
  )
}

/** What is drawn: all of the operation until points are chosen. */
export function PointPicker({ pathOf, ...props }: PickerProps & { pathOf: (point: Point) => string }) {
  const { chosen, onChange } = props
  const removePoint = (id: string) => onChange(chosen.filter((one) => one.id !== id).map((one) => one.id))
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      <Popover
        label="Choisir des points"
        align="start"
        className="z-50 w-80 max-w-[calc(100vw-2rem)] rounded-control p-4"
        trigger={
          <Button variant="secondary" icon={<ListFilter aria-hidden="true" />}>
            Choisir des points
          </Button>
        }
      >
        {() => <PickerList {...props} />}
      </Popover>
      {chosen.length === 0 && <span className="text-body text-ink-soft">Toute l’opération est affichée.</span>}
      {chosen.map((point) => (
        <span
          key={point.id}
          className="inline-flex min-h-8 items-center gap-1 rounded-full border border-line-strong bg-card pr-1 pl-3 text-[0.8125rem]"
        >
          <Link to={pathOf(point)} className="font-medium text-link">
            {formatPointName(point)}
          </Link>
          <button
            type="button"
            aria-label={`Retirer ${formatPointName(point)}`}
            onClick={() => removePoint(point.id)}
            className="grid size-6 place-items-center rounded-full text-ink-soft hover:bg-ink/5 hover:text-ink"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      ))}
      {chosen.length > 0 && (
        <Button variant="quiet" size="small" onClick={() => onChange([])}>
          Toute l’opération
        </Button>
      )}
    </div>
  )
}
