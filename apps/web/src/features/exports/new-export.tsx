import { dataExports } from '@voisol/contract/exports'
import FileDown from 'lucide-react/icons/file-down'
import { Suspense, useId, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateInput } from '../../ui/date-input.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Select } from '../../ui/select.tsx'
import { OperationFilter, ParticipantFilter, useFilters } from './filters.tsx'
import { Preview } from './preview.tsx'
import { type Choice, type Draft, type Sets, useOrder } from './use-order.ts'
import { SHAPE_OPTIONS } from './words.ts'

const PlanDialog = lazy(() => import('./plan-dialog.tsx'))

type Fields = { draft: Draft; change: (more: Partial<Draft>) => void; set: Choice }

function Days({ draft, change }: Fields) {
  const [from, last] = [useId(), useId()]
  return (
    <>
      <FieldFrame id={from} label="Du">
        <DateInput id={from} value={draft.from} onValue={(value) => change({ from: value })} />
      </FieldFrame>
      <FieldFrame id={last} label="Au (inclus)">
        <DateInput id={last} value={draft.last} onValue={(value) => change({ last: value })} />
      </FieldFrame>
    </>
  )
}

function Choices({ sets, ...fields }: Fields & { sets: Choice[] }) {
  const { draft, change, set } = fields
  const [what, how] = [useId(), useId()]
  const filters = useFilters()
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <div className="sm:col-span-2">
        <FieldFrame id={what} label="Jeu de données" hint={set.about}>
          <Select
            id={what}
            aria-describedby={`${what}-hint`}
            value={set.id}
            onChange={({ target }) => change({ dataSet: target.value })}
            options={sets.map(({ id, label }) => ({ value: id, label }))}
          />
        </FieldFrame>
      </div>
      <div className="sm:col-span-2">
        <FieldFrame id={how} label="Format" hint="Chaque fichier porte son dictionnaire de colonnes et d’unités.">
          <Select
            id={how}
            aria-describedby={`${how}-hint`}
            value={draft.shape}
            onChange={({ target }) => change({ shape: target.value })}
            options={SHAPE_OPTIONS}
          />
        </FieldFrame>
      </div>
      {set.period && <Days {...fields} />}
      {set.operation && filters.operation && (
        <OperationFilter value={draft.operationId} onChange={(operationId) => change({ operationId })} />
      )}
      {set.participant && filters.participant && (
        <ParticipantFilter value={draft.participantId} onChange={(participantId) => change({ participantId })} />
      )}
    </div>
  )
}

type Ordered = { order: ReturnType<typeof useOrder>['order'] }
const AskButton = only(dataExports.create, ({ order }: Ordered) => {
  const create = useAction(dataExports.create, [dataExports.list])
  const ask = async () => {
    if (!order) return
    try {
      await create.run({ body: order })
      toast({
        title: 'Export demandé',
        description: 'Il se prépare\u00a0: vous pouvez quitter cette page.',
        variant: 'success',
      })
    } catch (error) {
      toast({ title: 'Export refusé', description: explain(error), variant: 'destructive' })
    }
  }
  return (
    <Button
      icon={<FileDown aria-hidden="true" />}
      disabled={!order}
      loading={create.isPending}
      onClick={() => void ask()}
    >
      Exporter
    </Button>
  )
})

const PlanButton = only(dataExports.plan, ({ order, connections }: Ordered & Pick<Sets, 'connections'>) => {
  const [open, setOpen] = useState(false)
  if (!connections.length) return null
  return (
    <>
      <Button variant="secondary" disabled={!order} onClick={() => setOpen(true)}>
        Envoyer régulièrement
      </Button>
      <Suspense fallback={null}>
        {open && order && <PlanDialog order={order} connections={connections} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
})

/** What to take away, seen before it is asked for. */
export function NewExport({ items, connections }: Sets) {
  const { draft, change, set, order } = useOrder(items)
  if (!set) return null
  return (
    <Card title="Nouvel export">
      <div className="grid gap-6 [&>*]:min-w-0">
        <Choices sets={items} draft={draft} change={change} set={set} />
        <Preview order={order} set={set} />
        <div className="flex flex-wrap justify-end gap-2">
          <PlanButton order={order} connections={connections} />
          <AskButton order={order} />
        </div>
      </div>
    </Card>
  )
}
