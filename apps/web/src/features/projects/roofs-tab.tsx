import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { formatCount } from '../../lib/format.ts'
import { formatPosition } from '../../lib/position.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type RoofLine, withoutLine } from './body.ts'
import { formatKwc, formatOrientation } from './labels.ts'
import { LineActions } from './line-actions.tsx'
import { RoofDialog } from './roof-dialog.tsx'

type RoofRow = RoofLine & { id: string; at: number }

const columns: Column<RoofRow>[] = [
  { header: 'Bâtiment', cell: ({ building }) => <span className="block min-w-36 font-medium">{building}</span> },
  {
    header: 'Puissance',
    align: 'end',
    cell: ({ peakWatts }) => <span className="whitespace-nowrap">{formatKwc(peakWatts)}</span>,
  },
  {
    header: 'Orientation',
    cell: ({ azimuth }) => <span className="whitespace-nowrap">{formatOrientation(azimuth)}</span>,
  },
  { header: 'Inclinaison', align: 'end', cell: ({ tilt }) => `${tilt}°` },
  {
    header: 'Position',
    cell: (line) => <span className="tabular whitespace-nowrap">{formatPosition(line) || 'À préciser'}</span>,
  },
]

export default function RoofsTab({ project }: { project: ProjectDetail }) {
  const [open, setOpen] = useState<{ at: number | null } | null>(null)
  const { roofs, peakWatts } = project
  const add = useCan()(projects.update) && (
    <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen({ at: null })}>
      Ajouter une toiture
    </Button>
  )
  return (
    <>
      {roofs.length === 0 ? (
        <EmptyState
          title="Aucune toiture"
          why="La puissance, l’orientation et l’inclinaison de chaque toiture donnent la production heure par heure."
          action={add}
        />
      ) : (
        <Card
          title="Bâtiments et toitures"
          description={`${formatCount(roofs.length, 'toiture')}, ${formatKwc(peakWatts)} au total.`}
          actions={add}
        >
          <Table
            label="Toitures"
            rows={roofs.map((roof, at) => ({ ...roof, id: String(at), at }))}
            columns={columns}
            rowActions={({ at, building }) => (
              <LineActions
                name={building}
                what="cette toiture"
                project={project}
                without={{ roofs: withoutLine(roofs, at) }}
                onEdit={() => setOpen({ at })}
              />
            )}
          />
        </Card>
      )}
      {open && <RoofDialog project={project} at={open.at} onClose={() => setOpen(null)} />}
    </>
  )
}
