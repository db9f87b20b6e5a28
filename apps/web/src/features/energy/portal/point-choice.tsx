import { useSearchParams } from 'react-router'
import { formatPointName } from '../../../lib/point-name.ts'
import { Select } from '../../../ui/select.tsx'
import type { OwnSide, Side } from './my-points.ts'

const POINT_PARAM = 'point'
const ALL_POINTS_LABELS: Record<Side, string> = {
  consumption: 'Tous mes compteurs',
  production: 'Toutes mes installations',
}
const ALL_BATTERIES_LABEL = 'Toutes mes batteries'

export function useChosenPoint() {
  const [search, setSearch] = useSearchParams()
  const choose = (id: string) =>
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        if (id) params.set(POINT_PARAM, id)
        else params.delete(POINT_PARAM)
        return params
      },
      { preventScrollReset: true },
    )
  return [search.get(POINT_PARAM), choose] as const
}

type PortalPointChoiceProps = { mine: OwnSide; onChoose: (id: string) => void }

/** For somebody with several meters on this side; with one there is nothing to choose. */
export const PortalPointChoice = ({ mine: { side, battery, points, where }, onChoose }: PortalPointChoiceProps) =>
  points.length < 2 ? null : (
    <Select
      aria-label={battery ? 'Batterie affichée' : side === 'consumption' ? 'Compteur affiché' : 'Installation affichée'}
      className="w-full sm:w-72"
      value={where.pointId ?? ''}
      onChange={(event) => onChoose(event.target.value)}
      options={[
        { value: '', label: battery ? ALL_BATTERIES_LABEL : ALL_POINTS_LABELS[side] },
        ...points.map((point) => ({ value: point.id, label: formatPointName(point) })),
      ]}
    />
  )
