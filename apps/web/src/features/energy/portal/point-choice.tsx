import { useSearchParams } from 'react-router'
import { prm } from '../../../lib/energy-labels.ts'
import { Select } from '../../../ui/select.tsx'
import type { Mine, Side } from './my-points.ts'

const PARAM = 'point'
const ALL: Record<Side, string> = { consumption: 'Tous mes compteurs', production: 'Toutes mes installations' }

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
export const PointChoice = ({ mine: { side, points, where }, onChoose }: PointChoiceProps) =>
  points.length < 2 ? null : (
    <Select
      aria-label={side === 'consumption' ? 'Compteur affiché' : 'Installation affichée'}
      className="w-full sm:w-72"
      value={where.pointId ?? ''}
      onChange={(event) => onChoose(event.target.value)}
      options={[
        { value: '', label: ALL[side] },
        ...points.map((point) => ({ value: point.id, label: point.label || `PRM ${prm(point.prm)}` })),
      ]}
    />
  )
