import { Text } from '@voisol/contract/primitives'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import {
  formatNumberInput,
  formatPosition,
  numberInputSchema,
  positionInputSchema,
} from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatKwc, formatOrientation } from './labels.ts'
import { POSITION_FIELD } from './project-form.ts'
import { LineActions, type RoofLine, useSaveProject, withLine, withoutLine } from './use-project.tsx'

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

type Props = { project: ProjectDetail; at: number | null; onClose: () => void }

function RoofEditForm({ project, at, onClose }: Props) {
  const { save } = useSaveProject(project)
  const roof = at === null ? undefined : project.roofs[at]
  const form = useSchemaForm(RoofForm, {
    defaults: roof ? toRoofForm(roof) : createRoofForm(project),
    save: async (value) => {
      await save({ roofs: withLine(project.roofs, at, toRoof(value)) })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="building" label="Bâtiment" placeholder="École, bâtiment A" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field form={form} name="peakWatts" label="Puissance" hint="En kWc." inputMode="decimal" autoComplete="off" />
        <Field
          form={form}
          name="azimuth"
          label="Orientation"
          hint="Degrés&nbsp;: 90 est, 180 sud."
          inputMode="numeric"
          autoComplete="off"
        />
        <Field
          form={form}
          name="tilt"
          label="Inclinaison"
          hint="Degrés&nbsp;: 0 à plat."
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <Field form={form} name="position" {...POSITION_FIELD} />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {roof ? 'Enregistrer la toiture' : 'Ajouter la toiture'}
      </Button>
    </form>
  )
}

const RoofDialog = (props: Props) => (
  <Dialog
    title={props.at === null ? 'Ajouter une toiture' : 'Modifier la toiture'}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <RoofEditForm {...props} />
  </Dialog>
)

const RoofForm = z.object({
  building: Text,
  peakWatts: numberInputSchema({ min: 0.001, max: 100_000, scale: 1000 }),
  azimuth: numberInputSchema({ min: 0, max: 360 }),
  tilt: numberInputSchema({ min: 0, max: 90 }),
  position: positionInputSchema,
})

type RoofPlace = Pick<RoofLine, 'latitude' | 'longitude'>

/** A new roof faces south at thirty degrees, where the project lies. */
const createRoofForm = (place: RoofPlace): z.input<typeof RoofForm> => ({
  building: '',
  peakWatts: '',
  azimuth: '180',
  tilt: '30',
  position: formatPosition(place),
})
const toRoofForm = (roof: RoofLine): z.input<typeof RoofForm> => ({
  building: roof.building,
  peakWatts: formatNumberInput(roof.peakWatts, 1000),
  azimuth: formatNumberInput(roof.azimuth),
  tilt: formatNumberInput(roof.tilt),
  position: formatPosition(roof),
})
const toRoof = ({ position, ...values }: z.output<typeof RoofForm>): RoofLine => ({ ...values, ...position })
