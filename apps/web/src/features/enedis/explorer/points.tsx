import { useState } from 'react'
import { prm } from '../../../lib/energy-labels.ts'
import { pointName } from '../../../lib/point-name.ts'
import { Badge } from '../../../ui/badge.tsx'
import { SearchBox } from '../../../ui/search-box.tsx'
import { ChoiceList } from './choice-list.tsx'
import { datesWords } from './dates.ts'
import type { ThePoint } from './model.ts'

export const POINT_ROLES = { cons: 'Consommateur', prod: 'Producteur' } as const
/** Below, the whole list is seen at a glance. */
const SEARCH_FROM = 9
const WHOLE = ''

type Props = { points: ThePoint[]; value: string; onChange: (id: string | undefined) => void }

const isMeant = (text: string) => (point: ThePoint) =>
  `${point.label} ${point.prm}`.toLowerCase().includes(text.toLowerCase().replace(/(\d)\s+(?=\d)/g, '$1'))

/** The points of an agreement, with their role and dates there, and whether they are known here. */
export function Points({ points, value, onChange }: Props) {
  const [text, setText] = useState('')
  const found = points.filter(isMeant(text))
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      {points.length >= SEARCH_FROM && <SearchBox label="Rechercher un point" value={text} onSearch={setText} />}
      <ChoiceList
        label="Points de la convention"
        value={value}
        onChange={(id) => onChange(id === WHOLE ? undefined : id)}
        className="max-h-72 xl:max-h-[30rem] overflow-y-auto"
        items={[
          ...(text === '' ? [{ id: WHOLE, title: 'Toute la convention', note: 'Les points ensemble' }] : []),
          ...found.map((point) => ({
            id: point.id,
            title: pointName(point),
            note: (
              <>
                {POINT_ROLES[point.role]} ·{' '}
                {point.spans.map(({ startsOn, endsOn }) => datesWords(startsOn, endsOn)).join(', puis ')}
                {point.label && <span className="tabular block">{prm(point.prm)}</span>}
              </>
            ),
            mark: point.pointId === null && <Badge tone="warning">Inconnu ici</Badge>,
          })),
        ]}
      />
      {found.length === 0 && <p className="text-body text-ink-soft">Aucun point ne correspond.</p>}
    </div>
  )
}
