import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useMemo, useState } from 'react'
import { plural } from '../../../lib/format.ts'
import { BulkBar } from '../../../ui/bulk-bar.tsx'
import { Button } from '../../../ui/button.tsx'
import { Matrix } from '../../../ui/matrix/matrix.tsx'
import { gapsOf } from '../../../ui/matrix/selection.ts'
import { SearchBox } from '../../../ui/search-box.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { DayOf } from '../day/day-dialog.tsx'
import type { WantedDay } from '../requests/plan.ts'
import { type PointRow, withHoles } from '../rows.ts'
import { seeker } from '../search.ts'
import { wantedOf } from './wanted.ts'

export const MATRIX_TITLE = 'Complétude par point et par jour'

type Props = {
  rows: PointRow[]
  days: string[]
  onSelect: (chosen: DayOf) => void
  /** Missing where its reader may not ask the distributor again. */
  onRequest: ((wanted: WantedDay[]) => void) | undefined
}

function useShown(rows: PointRow[]) {
  const [text, setText] = useState('')
  const [holes, setHoles] = useState(false)
  const shown = useMemo(() => {
    const isMeant = seeker(text)
    const found = rows.filter((row) => isMeant(row.label, row.prm))
    return holes ? withHoles(found) : found
  }, [rows, text, holes])
  return { text, setText, holes, setHoles, shown }
}

type BarProps = { wanted: WantedDay[]; onClear: () => void; onRequest: () => void }

const SelectionBar = ({ wanted, onClear, onRequest }: BarProps) => (
  <div className="sticky bottom-0 z-20 overflow-hidden rounded-card border border-line shadow-float [&>div]:rounded-b-none [&>div]:border-t-0">
    <BulkBar
      count={wanted.length}
      words={`${plural(wanted.length, 'journée')} sur ${plural(new Set(wanted.map(({ pointId }) => pointId)).size, 'point')}`}
      onClear={onClear}
    >
      <Button size="small" onClick={onRequest} icon={<RefreshCw aria-hidden="true" />}>
        Redemander au distributeur
      </Button>
    </BulkBar>
  </div>
)

/** The keys are told where there is likely a keyboard. */
const How = () => (
  <p className="prose-width text-body text-ink-soft">
    Cochez les journées manquantes ou partielles, une ligne, ou tout.{' '}
    <span className="hidden [@media(hover:hover)]:inline">
      Au clavier&nbsp;: les flèches, Espace pour une journée, Maj&nbsp;+&nbsp;Espace pour la ligne, Ctrl&nbsp;+&nbsp;A
      pour tout.
    </span>
  </p>
)

/** The matrix, to be read; or, once asked for, to choose the days that the distributor is asked for again. */
export function Rows({ rows, days, onSelect, onRequest }: Props) {
  const { text, setText, holes, setHoles, shown } = useShown(rows)
  const [choosing, setChoosing] = useState(false)
  const [cells, setCells] = useState<ReadonlySet<string>>(new Set())
  const wanted = wantedOf(rows, days, cells)
  const gaps = rows.some((row) => gapsOf(row, days).length > 0)
  const turn = () => {
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
        {onRequest && (gaps || choosing) && (
          <Button
            variant="secondary"
            className="sm:ml-auto"
            icon={!choosing && <RefreshCw aria-hidden="true" />}
            onClick={turn}
          >
            {choosing ? 'Quitter la sélection' : 'Redemander des journées'}
          </Button>
        )}
      </div>
      {choosing && <How />}
      {shown.length > 0 ? (
        <Matrix
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
      {onRequest && wanted.length > 0 && (
        <SelectionBar wanted={wanted} onClear={() => setCells(new Set())} onRequest={() => onRequest(wanted)} />
      )}
    </div>
  )
}
