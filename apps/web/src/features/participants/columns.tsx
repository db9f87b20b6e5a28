import type { Participant } from '@voisol/contract/participants'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import { formatPrm, PARTICIPANT_ROLE_LABELS, PARTICIPANT_STATE_LABELS, toMeters } from '../../lib/energy-labels.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/table.tsx'
import { PARTICIPANT_KIND_LABELS } from './labels.ts'
import { ParticipantLink } from './sheet-link.tsx'
import type { SegmentsByPoint } from './use-segments.ts'

const softTextClass = 'text-[0.8125rem] text-ink-soft'

const nameColumn: Column<Participant> = {
  header: 'Nom',
  card: 'title',
  sort: 'name',
  cell: ({ id, name, kind, email, tags }) => (
    <span className="block min-w-44 py-1">
      <ParticipantLink id={id}>{name}</ParticipantLink>
      <span className={`block ${softTextClass}`}>{email || PARTICIPANT_KIND_LABELS[kind]}</span>
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

const MAX_LISTED_POINTS = 3

/** Of one operation only its own points. */
const getShownPoints = ({ points }: Participant, operationId?: string) =>
  operationId ? points.filter((point) => point.operationId === operationId) : points

type PointsProps = { points: Participant['points']; segments: SegmentsByPoint }

/** A landlord may hold dozens: the sheet shows them all. */
const PointList = ({ points: all, segments }: PointsProps) => {
  const points = toMeters(all)
  const shownPoints = points.length > MAX_LISTED_POINTS ? points.slice(0, MAX_LISTED_POINTS - 1) : points
  if (points.length === 0) return '–'
  return (
    <ul className="grid gap-0.5 py-1">
      {shownPoints.map(({ id, prm: digits, label, storage }) => (
        <li key={id} className="tabular">
          {label && <span className="block">{label}</span>}
          <span className={cx('whitespace-nowrap', label && softTextClass)}>{formatPrm(digits)}</span>
          {storage && (
            <span className={softTextClass}>
              {' '}
              · <BatteryCharging aria-hidden="true" className="inline size-4 text-storage" /> batterie
            </span>
          )}
          {!storage && segments.has(id) && <span className={softTextClass}> · {segments.get(id)}</span>}
        </li>
      ))}
      {shownPoints.length < points.length && (
        <li className={softTextClass}>et {points.length - shownPoints.length} autres</li>
      )}
    </ul>
  )
}

const ReviewMarks = ({ marks }: { marks: string[] }) =>
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

export const buildParticipantColumns = (segments: SegmentsByPoint, operationId?: string): Column<Participant>[] => [
  nameColumn,
  { header: 'Rôle', card: 'primary', sort: 'role', cell: ({ role }) => (role ? PARTICIPANT_ROLE_LABELS[role] : '–') },
  ...(operationId ? [] : [operationsColumn]),
  {
    header: 'Points',
    card: 'primary',
    cell: (row) => <PointList points={getShownPoints(row, operationId)} segments={segments} />,
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => (
      <Badge tone={PARTICIPANT_STATE_LABELS[state].tone}>{PARTICIPANT_STATE_LABELS[state].label}</Badge>
    ),
  },
  { header: 'À vérifier', card: 'secondary', cell: ({ review }) => <ReviewMarks marks={review} /> },
]
