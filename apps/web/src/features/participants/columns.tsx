import type { Participant } from '@voisol/contract/participants'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import { metersOf, PARTICIPANT_STATES, prm, ROLES } from '../../lib/energy-labels.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/table.tsx'
import { KINDS } from './labels.ts'
import { SheetLink } from './sheet-link.tsx'
import type { Segments } from './use-segments.ts'

const soft = 'text-[0.8125rem] text-ink-soft'

const nameColumn: Column<Participant> = {
  header: 'Nom',
  card: 'title',
  sort: 'name',
  cell: ({ id, name, kind, email, tags }) => (
    <span className="block min-w-44 py-1">
      <SheetLink id={id}>{name}</SheetLink>
      <span className={`block ${soft}`}>{email || KINDS[kind]}</span>
      {tags.length > 0 && (
        <span className="mt-1 flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag} tone="neutral">
              {tag}
            </Badge>
          ))}
        </span>
      )}
    </span>
  ),
}

const MOST = 3

/** Of one operation only its own points. */
const pointsOf = ({ points }: Participant, operationId?: string) =>
  operationId ? points.filter((point) => point.operationId === operationId) : points

type PointsProps = { points: Participant['points']; segments: Segments }

/** A landlord may hold dozens: the sheet shows them all. */
const Points = ({ points: all, segments }: PointsProps) => {
  const points = metersOf(all)
  const shown = points.length > MOST ? points.slice(0, MOST - 1) : points
  if (points.length === 0) return '–'
  return (
    <ul className="grid gap-0.5 py-1">
      {shown.map(({ id, prm: digits, label, storage }) => (
        <li key={id} className="tabular">
          {label && <span className="block">{label}</span>}
          <span className={cx('whitespace-nowrap', label && soft)}>{prm(digits)}</span>
          {storage && (
            <span className={soft}>
              {' '}
              · <BatteryCharging aria-hidden="true" className="inline size-4 text-storage" /> batterie
            </span>
          )}
          {!storage && segments.has(id) && <span className={soft}> · {segments.get(id)}</span>}
        </li>
      ))}
      {shown.length < points.length && <li className={soft}>et {points.length - shown.length} autres</li>}
    </ul>
  )
}

const Review = ({ marks }: { marks: string[] }) =>
  marks.length === 0 ? (
    <span className="text-ink-muted max-sm:hidden">–</span>
  ) : (
    <ul className="grid min-w-52 gap-0.5 py-1 text-[0.8125rem] text-warning">
      {marks.map((mark) => (
        <li key={mark}>{mark}</li>
      ))}
    </ul>
  )

const operationsColumn: Column<Participant> = {
  header: 'Opérations',
  card: 'secondary',
  cell: ({ operations }) => (
    <span className="block min-w-36 py-1">{operations.map(({ name }) => name).join(', ') || '–'}</span>
  ),
}

export const participantColumns = (segments: Segments, operationId?: string): Column<Participant>[] => [
  nameColumn,
  { header: 'Rôle', card: 'primary', sort: 'role', cell: ({ role }) => (role ? ROLES[role] : '–') },
  ...(operationId ? [] : [operationsColumn]),
  {
    header: 'Points',
    card: 'primary',
    cell: (row) => <Points points={pointsOf(row, operationId)} segments={segments} />,
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={PARTICIPANT_STATES[state].tone}>{PARTICIPANT_STATES[state].label}</Badge>,
  },
  { header: 'À vérifier', card: 'secondary', cell: ({ review }) => <Review marks={review} /> },
]
