import { useQuery } from '@tanstack/react-query'
import { consents } from '@voisol/contract/consents'
import { type Participant, participants } from '@voisol/contract/participants'
import { points } from '@voisol/contract/points'
import BatteryCharging from 'lucide-react/icons/battery-charging'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import type { Column } from '../../../components/table.tsx'
import { Can, useCan } from '../../../lib/can.tsx'
import { formatPrm, PARTICIPANT_ROLE_LABELS, PARTICIPANT_STATE_LABELS, toMeters } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'
import { AddParticipantDialog } from './add/add-dialog.tsx'
import {
  BULK_ACTION_LABELS,
  type BulkActionKind,
  describeSelection,
  type ParticipantSelection,
  toBulkFilter,
} from './bulk/bulk-actions.ts'
import { BulkActionDialog } from './bulk/bulk-dialog.tsx'
import { PARTICIPANT_KIND_LABELS } from './labels.ts'
import { ParticipantExport, ParticipantFilters } from './list-toolbar.tsx'
import { ParticipantDrawer, ParticipantLink } from './participant-drawer.tsx'

const PARTICIPANT_TEXT =
  'Un participant est une personne ou une organisation qui consomme ou produit dans une opération.'
const ADD_TEXT = 'Ajoutez-les un par un avec leur point de livraison, ou importez un fichier.'

const NoParticipants = ({ onAdd }: { onAdd: () => void }) => (
  <Can
    call={participants.create}
    otherwise={<EmptyState title="Aucun participant" why={PARTICIPANT_TEXT} because="comes-by-itself" />}
  >
    <EmptyState
      title="Aucun participant"
      why={`${PARTICIPANT_TEXT} ${ADD_TEXT}`}
      action={<Button onClick={onAdd}>Ajouter un participant</Button>}
    />
  </Can>
)

/** The people of the company, or of one operation. */
export function ParticipantScreen({ operationId }: { operationId?: string }) {
  const can = useCan()
  const list = useList(participants.list, operationId ? { operationId } : {})
  const segments = useSegments(operationId)
  const { ids, setIds, isAll, choice, chooseAll } = useParticipantSelection(list, operationId)
  const [bulkAction, setBulkAction] = useState<{ kind: BulkActionKind; choice: ParticipantSelection }>()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        list={list}
        label="Participants"
        search="Rechercher un nom, un PRM, un e-mail"
        columns={buildParticipantColumns(segments, operationId)}
        filters={<ParticipantFilters filters={list.filters} setFilters={list.setFilters} />}
        exports={<ParticipantExport filters={list.filters} operationId={operationId} />}
        selection={
          can(participants.bulk)
            ? {
                ids,
                onChange: setIds,
                label: ({ name }) => name,
                words: isAll ? describeSelection(choice) : undefined,
                actions: (
                  <BulkActionButtons
                    total={list.total}
                    count={ids.size}
                    isAll={isAll}
                    onAll={chooseAll}
                    onChoose={(kind) => setBulkAction({ kind, choice })}
                  />
                ),
              }
            : undefined
        }
        empty={<NoParticipants onAdd={() => setAdding(true)} />}
      />
      {bulkAction && (
        <BulkActionDialog
          {...bulkAction}
          operationId={operationId}
          sampleId={[...ids][0] ?? ''}
          onClose={() => setBulkAction(undefined)}
          onDone={() => setIds(new Set())}
        />
      )}
      {/* Not inside the empty state, which goes with the first participant. */}
      <AddParticipantDialog operationId={operationId} open={adding} onOpenChange={setAdding} />
      <ParticipantDrawer />
    </>
  )
}

type FilteredList = { filters: Record<string, unknown>; total: number }

/** Who is chosen: those who were ticked, or all who match; another filter is another question. */
function useParticipantSelection({ filters, total }: FilteredList, operationId?: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState<string | null>(null)
  const filter = toBulkFilter(filters, operationId)
  const isAll = ids.size > 0 && all === JSON.stringify(filter)
  const choice: ParticipantSelection = isAll
    ? { ids: [], filter, count: total }
    : { ids: [...ids], filter: null, count: ids.size }
  const changeIds = (next: ReadonlySet<string>) => {
    setAll(null)
    setIds(next)
  }
  return { ids, setIds: changeIds, isAll, choice, chooseAll: () => setAll(JSON.stringify(filter)) }
}

type Props = {
  onChoose: (kind: BulkActionKind) => void
  total: number
  isAll: boolean
  count: number
  onAll: () => void
}

/** What can be done with those who were ticked; and all who match instead of those of this page. */
const BulkActionButtons = ({ onChoose, total, isAll, count, onAll }: Props) => (
  <>
    {!isAll && total > count && (
      <Button variant="quiet" size="small" onClick={onAll}>
        Choisir les {formatCount(total, 'participant qui correspond', 'participants qui correspondent')}
      </Button>
    )}
    <Button variant="secondary" size="small" onClick={() => onChoose('entry')}>
      {BULK_ACTION_LABELS.entry.title}
    </Button>
    <Button variant="secondary" size="small" onClick={() => onChoose('exit')}>
      {BULK_ACTION_LABELS.exit.title}
    </Button>
    <Menu
      trigger={
        <Button variant="secondary" size="small">
          Autres actions
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onChoose('invite')}>{BULK_ACTION_LABELS.invite.title}…</MenuItem>
      <MenuItem onSelect={() => onChoose('agreement')}>{BULK_ACTION_LABELS.agreement.title}…</MenuItem>
      <Can call={consents.give}>
        <MenuItem onSelect={() => onChoose('ask')}>{BULK_ACTION_LABELS.ask.title}…</MenuItem>
        <MenuItem onSelect={() => onChoose('consent')}>{BULK_ACTION_LABELS.consent.title}…</MenuItem>
      </Can>
      <MenuItem onSelect={() => onChoose('tags')}>{BULK_ACTION_LABELS.tags.title}…</MenuItem>
    </Menu>
  </>
)

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

const buildParticipantColumns = (segments: SegmentsByPoint, operationId?: string): Column<Participant>[] => [
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

type SegmentsByPoint = ReadonlyMap<string, string>
const MAX_POINTS = 1000

/** The segment of each point by its id: the list of people names their points only. */
function useSegments(operationId?: string): SegmentsByPoint {
  const { data } = useQuery(query(points.list, { query: { size: MAX_POINTS, operationId } }))
  return new Map(data?.items.map(({ id, segment }) => [id, segment]))
}
