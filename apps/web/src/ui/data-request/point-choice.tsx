import { useQuery } from '@tanstack/react-query'
import { type PointSyncStatus, sync } from '@voisol/contract/sync'
import { useState } from 'react'
import { formatMeterLine } from '../../lib/energy-labels.ts'
import { formatCount } from '../../lib/format.ts'
import { formatPointName } from '../../lib/point-name.ts'
import { query } from '../../lib/queries.ts'
import { Checkbox } from '../checkbox.tsx'
import { RadioGroup } from '../radio-group.tsx'
import { SearchBox } from '../search-box.tsx'
import { Skeleton } from '../skeleton.tsx'

type PointSelection = { some: boolean; chosen: string[] }
type PointChoiceProps = PointSelection & {
  operationId: string
  error?: string
  onChange: (next: PointSelection) => void
}

const MIN_POINTS_FOR_SEARCH = 8
const createTextMatcher = (text: string) => {
  const words = text.toLowerCase()
  return ({ label, prm: digits }: PointSyncStatus) =>
    label.toLowerCase().includes(words) || digits.includes(words.replace(/\s/g, ''))
}
const formatPointHint = (point: PointSyncStatus) => `${formatMeterLine(point)}${point.blockedAt ? ' · bloqué' : ''}`

function PointList({
  points,
  chosen,
  onChange,
}: { points: PointSyncStatus[] } & Pick<PointChoiceProps, 'chosen'> & {
    onChange: (chosen: string[]) => void
  }) {
  const [text, setText] = useState('')
  const shown = points.filter(createTextMatcher(text))
  return (
    <div className="grid gap-2">
      {points.length > MIN_POINTS_FOR_SEARCH && (
        <SearchBox label="Rechercher un point" value={text} onSearch={setText} />
      )}
      <fieldset className="grid max-h-52 gap-2.5 overflow-y-auto rounded-control border border-line p-3">
        <legend className="sr-only">Points demandés</legend>
        {shown.map((point) => (
          <Checkbox
            key={point.pointId}
            label={formatPointName(point)}
            hint={formatPointHint(point)}
            checked={chosen.includes(point.pointId)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, point.pointId] : chosen.filter((id) => id !== point.pointId))
            }
          />
        ))}
        {shown.length === 0 && <p className="text-body text-ink-soft">Aucun point ne porte ce nom ou ce numéro.</p>}
      </fieldset>
    </div>
  )
}

/** All the points of the operation, or those one picks. */
export function PointSelect({ operationId, some, chosen, error, onChange }: PointChoiceProps) {
  const { data } = useQuery(query(sync.standing, { params: { id: operationId } }))
  if (!data) return <Skeleton className="h-16 w-full" />
  const { points } = data
  return (
    <div className="grid gap-2">
      <RadioGroup
        label="Points"
        value={some ? 'some' : 'all'}
        onChange={({ target }) => onChange({ some: target.value === 'some', chosen })}
        options={[
          { value: 'all', label: `Tous les points de l’opération (${points.length})` },
          {
            value: 'some',
            label:
              chosen.length > 0 && some ? `Choisir (${formatCount(chosen.length, 'point')})` : 'Choisir des points',
          },
        ]}
      />
      {some && <PointList points={points} chosen={chosen} onChange={(next) => onChange({ some, chosen: next })} />}
      {error && (
        <p role="alert" className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
