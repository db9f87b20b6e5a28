import { type CurveImport, curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import type { ReactNode } from 'react'
import { explain } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { IMPORT_STATUSES } from '../labels.ts'
import { AbandonButton } from './abandon.tsx'
import { Detection } from './detection.tsx'
import { Done } from './done.tsx'
import { Preview } from './preview.tsx'
import { useImport } from './use-import.ts'

type Props = { id: string; operation?: Operation; onClose: () => void }

function Refused({ item }: { item: CurveImport }) {
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p role="alert" className="text-body text-danger">
        {item.message}
      </p>
      <p className="text-body text-ink-soft">
        Rien n’a été enregistré. Corrigez le fichier, puis déposez-le à nouveau.
      </p>
    </div>
  )
}

function Body({ item, operation }: { item: CurveImport; operation?: Operation }): ReactNode {
  const working = { reading: 'Lecture du fichier', storing: 'Enregistrement des relevés' }
  if (item.status === 'reading' || item.status === 'storing')
    return (
      <div role="status" className="grid gap-3">
        <Progress label={working[item.status]} done={item.progress / 100} />
        <p className="text-[0.8125rem] text-ink-soft">Vous pouvez quitter cette page&nbsp;: le travail continue.</p>
      </div>
    )
  if (item.status === 'refused') return <Refused item={item} />
  if (item.status === 'abandoned')
    return <p className="text-body text-ink-soft">Cet import a été abandonné&nbsp;: rien n’a été enregistré.</p>
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {item.status === 'done' && <Done item={item} operation={operation} />}
      {item.detected && <Detection item={item} detected={item.detected} />}
      <Preview item={item} />
    </div>
  )
}

function Actions({ item, onClose }: { item: CurveImport; onClose: () => void }) {
  const commit = useAction(curves.commit, [curves.getImport, curves.imports])
  const keep = () =>
    commit
      .run({ params: { id: item.id } })
      .catch((error: unknown) =>
        toast({ title: 'Enregistrement impossible', description: explain(error), variant: 'destructive' }),
      )
  const useful = item.series.some(({ pointId }) => pointId !== null)
  if (item.status !== 'ready')
    return (
      <Button variant="secondary" onClick={onClose}>
        Importer un autre fichier
      </Button>
    )
  return (
    <>
      <AbandonButton id={item.id} name={item.name} onDone={onClose} />
      <Button disabled={!useful} loading={commit.isPending} onClick={keep}>
        Enregistrer
      </Button>
    </>
  )
}

/** One file, from its reading to its place in the store. */
export function ImportView({ id, operation, onClose }: Props) {
  const { data: item, error, refetch } = useImport(id)
  if (error)
    return (
      <Card
        actions={
          <Button variant="secondary" onClick={onClose}>
            Importer un autre fichier
          </Button>
        }
      >
        <ErrorState error={error} onRetry={refetch} />
      </Card>
    )
  if (!item) return <Skeleton className="h-64 w-full" />
  const { label, tone } = IMPORT_STATUSES[item.status]
  return (
    <Card
      title={item.name}
      description={<Badge tone={tone}>{label}</Badge>}
      actions={<Actions item={item} onClose={onClose} />}
    >
      <Body item={item} operation={operation} />
    </Card>
  )
}
