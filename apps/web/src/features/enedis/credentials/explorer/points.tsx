import { useState } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { SearchBox } from '../../../../components/filter-bar.tsx'
import { formatPointName, formatPrm } from '../../../../lib/energy-labels.ts'
import { ChoiceList, formatOpenDateRange } from './agreement-choice.tsx'
import type { AgreementMember } from './agreement-series.ts'

const POINT_ROLE_LABELS = { cons: 'Consommateur', prod: 'Producteur' } as const
/** Below, the whole list is seen at a glance. */
const SEARCH_FROM = 9
const WHOLE_AGREEMENT = ''

type Props = { points: AgreementMember[]; value: string; onChange: (id: string | undefined) => void }

const matchesText = (text: string) => (point: AgreementMember) =>
  `${point.label} ${point.prm}`.toLowerCase().includes(text.toLowerCase().replace(/(\d)\s+(?=\d)/g, '$1'))

/** The points of an agreement, with their role and dates there, and whether they are known here. */
export function AgreementPoints({ points, value, onChange }: Props) {
  const [text, setText] = useState('')
  const matchingPoints = points.filter(matchesText(text))
  return (
    <div className="grid gap-3 [&>*]:min-w-0">
      {points.length >= SEARCH_FROM && <SearchBox label="Rechercher un point" value={text} onSearch={setText} />}
      <ChoiceList
        label="Points de la convention"
        value={value}
        onChange={(id) => onChange(id === WHOLE_AGREEMENT ? undefined : id)}
        className="max-h-72 xl:max-h-[30rem] overflow-y-auto"
        items={[
          ...(text === '' ? [{ id: WHOLE_AGREEMENT, title: 'Toute la convention', note: 'Les points ensemble' }] : []),
          ...matchingPoints.map((point) => ({
            id: point.id,
            title: formatPointName(point),
            note: (
              <>
                {POINT_ROLE_LABELS[point.role]} ·{' '}
                {point.spans.map(({ startsOn, endsOn }) => formatOpenDateRange(startsOn, endsOn)).join(', puis ')}
                {point.label && <span className="tabular block">{formatPrm(point.prm)}</span>}
              </>
            ),
            mark: point.pointId === null && <Badge tone="warning">Inconnu ici</Badge>,
          })),
        ]}
      />
      {matchingPoints.length === 0 && <p className="text-body text-ink-soft">Aucun point ne correspond.</p>}
    </div>
  )
}
