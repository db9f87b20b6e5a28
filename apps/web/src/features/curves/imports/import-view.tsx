import { type CurveImport, curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { type ReactNode, useState } from 'react'
import { explainError } from '../../../lib/explain.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { IMPORT_STATUS_BADGES } from '../labels.ts'
import { AbandonButton } from './abandon.tsx'
import { type OverwriteConsent, OverwriteConsentBox, sumOverwrittenDays } from './consent.tsx'
import { DetectionSection } from './detection.tsx'
import { ImportDone } from './done.tsx'
import { CurveImportPreview } from './preview.tsx'
import { ImportQuestionForm } from './questions.tsx'
import { useCurveImport } from './use-import.ts'

type Props = { id: string; operation?: Operation; onClose: () => void }

function RefusedImport({ item }: { item: CurveImport }) {
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

type ImportBodyProps = { item: CurveImport; operation?: Operation; consent: OverwriteConsent }

function ImportBody({ item, operation, consent }: ImportBodyProps): ReactNode {
  const working = { reading: 'Lecture du fichier', storing: 'Enregistrement des relevés' }
  if (item.status === 'reading' || item.status === 'storing')
    return (
      <div role="status" className="grid gap-3">
        <Progress label={working[item.status]} done={item.progress / 100} />
        <p className="text-[0.8125rem] text-ink-soft">Vous pouvez quitter cette page&nbsp;: le travail continue.</p>
      </div>
    )
  if (item.status === 'refused') return <RefusedImport item={item} />
  if (item.status === 'abandoned')
    return <p className="text-body text-ink-soft">Cet import a été abandonné&nbsp;: rien n’a été enregistré.</p>
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {item.status === 'done' && <ImportDone item={item} operation={operation} />}
      {item.status === 'ready' && item.message && (
        <p role="status" className="rounded-card bg-warning-soft p-4 text-body">
          {item.message}
        </p>
      )}
      {item.detected && <DetectionSection item={item} detected={item.detected} />}
      {item.status === 'ready' && item.asked.questions.length > 0 && <ImportQuestionForm item={item} />}
      <CurveImportPreview item={item} />
      {item.status === 'ready' && item.asked.questions.length === 0 && <OverwriteConsentBox item={item} {...consent} />}
    </div>
  )
}

type ImportActionsProps = { item: CurveImport; agreed: boolean; onClose: () => void }

function ImportActions({ item, agreed, onClose }: ImportActionsProps) {
  const commit = useAction(curves.commit, [curves.getImport, curves.imports])
  const [isSaving, setLooking] = useState(false)
  const { id } = item
  const previewAndCommit = async () => {
    const seen = await confirmImpact({ kind: 'import', id, body: { overwrite: agreed } }, 'Enregistrer ces relevés')
    if (seen) await commit.run({ params: { id }, body: { overwrite: agreed, ...seen } })
  }
  const saveReadings = () => {
    setLooking(true)
    previewAndCommit()
      .catch((error: unknown) =>
        toast({ title: 'Enregistrement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLooking(false))
  }
  const useful = item.series.some(({ pointId }) => pointId !== null)
  const answered = item.asked.questions.length === 0
  const isOverwriteAgreed = agreed || sumOverwrittenDays(item).days === 0
  if (item.status !== 'ready')
    return (
      <Button variant="secondary" onClick={onClose}>
        Importer un autre fichier
      </Button>
    )
  return (
    <>
      <AbandonButton id={item.id} name={item.name} onDone={onClose} />
      <Button
        disabled={!useful || !answered || !isOverwriteAgreed}
        loading={isSaving || commit.isPending}
        onClick={saveReadings}
      >
        Enregistrer
      </Button>
    </>
  )
}

/** One file, from its reading to its place in the store. */
export function ImportView({ id, operation, onClose }: Props) {
  const { data: item, error, refetch } = useCurveImport(id)
  const [agreed, onAgree] = useState(false)
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
  const { label, tone } = IMPORT_STATUS_BADGES[item.status]
  return (
    <Card
      title={item.name}
      description={<Badge tone={tone}>{label}</Badge>}
      actions={<ImportActions item={item} agreed={agreed} onClose={onClose} />}
    >
      <ImportBody item={item} operation={operation} consent={{ agreed, onAgree }} />
    </Card>
  )
}
