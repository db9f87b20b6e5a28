import type { CurveImport } from '@voisol/contract/curves'
import { useId } from 'react'
import { formatPrm, getMeterSideLabel } from '../../../lib/energy-labels.ts'
import { formatPointName } from '../../../lib/point-name.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import type { CurveImportChoices } from '../labels.ts'
import { usePoints } from '../use-operation.ts'
import { ImportFact } from './fact.tsx'

type Props = { item: CurveImport; correct: (change: CurveImportChoices) => void }

/** Whose curve it is, where the file does not say it. */
export function ImportPointChoice({ item: { choices }, correct }: Props) {
  const { data } = usePoints()
  const id = useId()
  const points = data?.items ?? []
  const chosen = points.find(
    (point) => point.prm === choices.prm && (choices.direction ?? point.direction) === point.direction,
  )
  const choose = (pointId: string) => {
    const point = points.find((one) => one.id === pointId)
    correct({ prm: point?.prm, direction: point?.direction })
  }
  return (
    <ImportFact
      label={<label htmlFor={id}>Point de cette courbe</label>}
      hint={!chosen && <Badge tone="warning">À choisir</Badge>}
    >
      <Select id={id} value={chosen?.id ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">Choisir un point</option>
        {points.map((point) => (
          <option key={point.id} value={point.id}>
            {formatPointName(point)} · {getMeterSideLabel(point)} · {formatPrm(point.prm)}
          </option>
        ))}
      </Select>
    </ImportFact>
  )
}
