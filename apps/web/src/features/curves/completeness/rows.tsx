import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useMemo, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { BulkBar } from '../../../ui/bulk-bar.tsx'
import { Button } from '../../../ui/button.tsx'
import { DayMatrix } from '../../../ui/matrix/matrix.tsx'
import { listGapKeys } from '../../../ui/matrix/selection.ts'
import { SearchBox } from '../../../ui/search-box.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { SelectedDay } from '../day/day-dialog.tsx'
import type { RequestedDay } from '../requests/plan.ts'
import { filterIncompleteRows, type PointRow } from '../rows.ts'
import { createPointMatcher } from '../search.ts'
import { listRequestableDays } from './wanted.ts'

export const MATRIX_TITLE = 'Complétude par point et par jour'

type Props = {
  rows: PointRow[]
  days: string[]
  onSelect: (chosen: SelectedDay) => void
  /** Missing where its reader may not ask the distributor again. */
  onRequest: ((wanted: RequestedDay[]) => void) | undefined
}

function useRowFilter(rows: PointRow[]) {
  const [text, setText] = useState('')
  const [holes, setHoles] = useState(false)
  const shown = useMemo(() => {
    const matches = createPointMatcher(text)
    const matchingRows = rows.filter((row) => matches(row.label, row.prm))
    return holes ? filterIncompleteRows(matchingRows) : matchingRows
  }, [rows, text, holes])
  return { text, setText, holes, setHoles, shown }
}

type BarProps = { wanted: RequestedDay[]; onClear: () => void; onRequest: () => void }

const SelectionBar = ({ wanted, onClear, onRequest }: BarProps) => (
  <div className="sticky bottom-0 z-20 overflow-hidden rounded-card border border-line shadow-float [&>div]:rounded-b-none [&>div]:border-t-0">
    <BulkBar
      count={wanted.length}
      words={`${formatCount(wanted.length, 'journée')} sur ${formatCount(new Set(wanted.map(({ pointId }) => pointId)).size, 'point')}`}
      onClear={onClear}
    >
      <Button size="small" onClick={onRequest} icon={<RefreshCw aria-hidden="true" />}>
        Redemander au distributeur
      </Button>
    </BulkBar>
  </div>
)

/** The keys are told where there is likely a keyboard. */
const SelectionHelp = () => (
  <p className="prose-width text-body text-ink-soft">
    Cochez les journées manquantes ou partielles, une ligne, ou tout.{' '}
    <span className="hidden [@media(hover:hover)]:inline">
      Au clavier&nbsp;: les flèches, Espace pour une journée, Maj&nbsp;+&nbsp;Espace pour la ligne, Ctrl&nbsp;+&nbsp;A
      pour tout.
    </span>
  </p>
)

/** The matrix, to be read; or, once asked for, to choose the days that the distributor is asked for again. */
export function CompletenessMatrix({ rows, days, onSelect, onRequest }: Props) {
  const { text, setText, holes, setHoles, shown } = useRowFilter(rows)
  const [choosing, setChoosing] = useState(false)
  const [cells, setCells] = useState<ReadonlySet<string>>(new Set())
  const requestedDays = listRequestableDays(rows, days, cells)
  const hasGaps = rows.some((row) => listGapKeys(row, days).length > 0)
  const toggleSelection = () => {
    setCells(new Set())
    setChoosing(!choosing)
  }
  const select = ({ row, day }: { row: { id: string; label: string }; day: string }) =>
    onSelect({ pointId: row.id, name: row.label, day })
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div data-print="hide" className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SearchBox label="Rechercher un point" value={text} onSearch={setText} className="w-full sm:w-80" />
        <Switch
          label="Points incomplets seulement"
          checked={holes}
          onChange={(event) => setHoles(event.target.checked)}
        />
        {onRequest && (hasGaps || choosing) && (
          <Button
            variant="secondary"
            className="sm:ml-auto"
            icon={!choosing && <RefreshCw aria-hidden="true" />}
            onClick={toggleSelection}
          >
            {choosing ? 'Quitter la sélection' : 'Redemander des journées'}
          </Button>
        )}
      </div>
      {choosing && <SelectionHelp />}
      {shown.length > 0 ? (
        <DayMatrix
          title={MATRIX_TITLE}
          rows={shown}
          days={days}
          onSelect={select}
          selection={choosing ? { cells, onChange: setCells } : undefined}
        />
      ) : (
        <p className="py-6 text-body text-ink-soft">
          {text ? 'Aucun point ne correspond à cette recherche.' : 'Aucun point n’a de manque sur cette période.'}
        </p>
      )}
      {onRequest && requestedDays.length > 0 && (
        <SelectionBar
          wanted={requestedDays}
          onClear={() => setCells(new Set())}
          onRequest={() => onRequest(requestedDays)}
        />
      )}
    </div>
  )
}
