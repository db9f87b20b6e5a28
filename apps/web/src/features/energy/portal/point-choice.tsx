import { useSearchParams } from 'react-router'
import { pointName } from '../../../lib/point-name.ts'
import { Select } from '../../../ui/select.tsx'
import type { Mine, Side } from './my-points.ts'

const PARAM = 'point'
const ALL: Record<Side, string> = { consumption: 'Tous mes compteurs', production: 'Toutes mes installations' }
const BATTERIES = 'Toutes mes batteries'

export function useChosenPoint() {
  const [search, setSearch] = useSearchParams()
  const choose = (id: string) =>
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        if (id) params.set(PARAM, id)
        else params.delete(PARAM)
        return params
      },
      { preventScrollReset: true },
    )
  return [search.get(PARAM), choose] as const
}

type PointChoiceProps = { mine: Mine; onChoose: (id: string) => void }

/** For somebody with several meters on this side; with one there is nothing to choose. */
export const PointChoice = ({ mine: { side, battery, points, where }, onChoose }: PointChoiceProps) =>
  points.length < 2 ? null : (
    <Select
      aria-label={battery ? 'Batterie affichée' : side === 'consumption' ? 'Compteur affiché' : 'Installation affichée'}
      className="w-full sm:w-72"
      value={where.pointId ?? ''}
      onChange={(event) => onChoose(event.target.value)}
      options={[
        { value: '', label: battery ? BATTERIES : ALL[side] },
        ...points.map((point) => ({ value: point.id, label: pointName(point) })),
      ]}
    />
  )
