import { useQuery } from '@tanstack/react-query'
import type { PriceIndex } from '@voisol/contract/tariff-terms'
import { tariffs } from '@voisol/contract/tariffs'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatTariffDay } from './version-state.tsx'

const IndexDialog = lazy(() => import('./index-dialog.tsx').then(({ IndexDialog: Shown }) => ({ default: Shown })))
const IndexValueDialog = lazy(() =>
  import('./index-dialog.tsx').then(({ IndexValueDialog: Shown }) => ({ default: Shown })),
)

const AddIndexButton = withAccess(tariffs.createIndex, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
        Ajouter un indice
      </Button>
      <Suspense fallback={null}>{open && <IndexDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

function RemoveIndexButton({ index }: { index: PriceIndex }) {
  const { run } = useAction(tariffs.removeIndex, [tariffs.indexes])
  return (
    <Confirm
      title={`Supprimer «\u00a0${index.name}\u00a0»\u00a0?`}
      description="Rien n’en a été dit, et aucun tarif ne le suit."
      action="Supprimer l’indice"
      onConfirm={async () => {
        await run({ params: { id: index.id } })
        toast({ title: 'Indice supprimé', description: index.name, variant: 'success' })
      }}
      trigger={
        <Button variant="quiet" size="small">
          Supprimer
        </Button>
      }
    />
  )
}

const IndexActions = withAccess(tariffs.sayIndex, ({ index }: { index: PriceIndex }) => {
  const [open, setOpen] = useState<'word' | 'edit'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button variant="secondary" size="small" icon={<Plus aria-hidden="true" />} onClick={() => setOpen('word')}>
        Donner une valeur
      </Button>
      <Button variant="quiet" size="small" onClick={() => setOpen('edit')}>
        Modifier
      </Button>
      {index.words.length === 0 && index.tariffs === 0 && <RemoveIndexButton index={index} />}
      <Suspense fallback={null}>
        {open === 'word' && <IndexValueDialog index={index} onClose={close} />}
        {open === 'edit' && <IndexDialog index={index} onClose={close} />}
      </Suspense>
    </>
  )
})

type Row = PriceIndex['words'][number] & { id: string }

const columns: Column<Row>[] = [
  {
    header: 'À partir du',
    cell: ({ startsOn, holds }) => (
      <span className={cx('tabular', !holds && 'text-ink-soft')}>{formatTariffDay(startsOn)}</span>
    ),
    card: 'title',
  },
  {
    header: 'Valeur',
    cell: ({ value, holds }) =>
      value === null ? (
        <Badge tone={holds ? 'warning' : 'neutral'}>Annoncée</Badge>
      ) : (
        <span className={cx('tabular', holds ? 'font-medium' : 'text-ink-soft line-through')}>
          {value.replace('.', ',')}
        </span>
      ),
  },
  { header: 'Source', cell: ({ source }) => source || '–' },
  {
    header: 'Dit le',
    cell: ({ createdAt, createdBy }) => (
      <span className="text-[0.8125rem] text-ink-soft">
        <span className="tabular">{formatDate(createdAt)}</span>, {createdBy}
      </span>
    ),
  },
]

/** What was said, the last word in full and those before it struck out: nothing that was said goes. */
const IndexValues = ({ index }: { index: PriceIndex }) => (
  <Table
    label={`Valeurs de ${index.name}`}
    rows={index.words.map((word) => ({ ...word, id: `${word.startsOn} ${word.createdAt}` }))}
    columns={columns}
  />
)

const describeIndex = ({ source, tariffs: count }: PriceIndex) =>
  [
    source,
    count > 0 ? `suivi par ${formatCount(count, 'version de tarif', 'versions de tarif')}` : 'suivi par aucun tarif',
  ]
    .filter(Boolean)
    .join(', ')

/** The indexes that prices follow, and every word that was said of them. */
export default function IndexesTab() {
  const { data, error, refetch } = useQuery(query(tariffs.indexes, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  if (data.items.length === 0)
    return (
      <EmptyState
        title="Aucun indice"
        why="Un prix peut suivre un indice publié, tel que l’ILC ou le tarif réglementé. Chaque valeur s’applique à partir d’un jour."
        action={<AddIndexButton />}
      />
    )
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="prose-width text-body text-ink-soft">
          Une valeur vaut à partir de son jour. Une révision s’ajoute et ne change rien à ce qui est facturé.
        </p>
        <AddIndexButton />
      </div>
      {data.items.map((index) => (
        <Card
          key={index.id}
          title={index.name}
          description={describeIndex(index)}
          actions={<IndexActions index={index} />}
        >
          {index.words.length > 0 ? (
            <IndexValues index={index} />
          ) : (
            <p className="text-body text-ink-soft">Aucune valeur n’a encore été donnée.</p>
          )}
        </Card>
      ))}
    </div>
  )
}
