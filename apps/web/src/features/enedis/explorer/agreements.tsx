import { Badge } from '../../../ui/badge.tsx'
import { ChoiceList } from './choice-list.tsx'
import { formatOpenDateRange } from './dates.ts'

export type AgreementSummary = {
  acc: string
  name: string
  operationId: string | null
  startsOn: string | null
  endsOn: string | null
}

type Props = { items: AgreementSummary[]; value: string; onChange: (acc: string) => void }

/** The agreements that the distributor shows to this connection. */
export const AgreementChoice = ({ items, value, onChange }: Props) => (
  <ChoiceList
    label="Conventions"
    value={value}
    onChange={onChange}
    className="max-h-80 overflow-y-auto"
    items={items.map(({ acc, name, operationId, startsOn, endsOn }) => ({
      id: acc,
      title: name || acc,
      note: `${acc} · ${formatOpenDateRange(startsOn, endsOn)}`,
      mark: operationId === null && <Badge tone="warning">Inconnue ici</Badge>,
    }))}
  />
)
