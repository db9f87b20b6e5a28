import { type Retention, retention } from '@voisol/contract/retention'
import { Can } from '../../lib/can.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { RetentionCountsTable } from './counts.tsx'

type RetentionPreview = NonNullable<Retention['preview']>

const PreviewButton = ({ again }: { again: boolean }) => {
  const { run, isPending } = useAction(retention.preview, [retention.get])
  return (
    <Button variant={again ? 'quiet' : 'primary'} loading={isPending} onClick={() => void run({})}>
      {again ? 'Compter à nouveau' : 'Voir ce qui serait supprimé'}
    </Button>
  )
}

const AcceptButton = ({ preview, seal }: { preview: RetentionPreview; seal: string }) => {
  const { run } = useAction(retention.confirm, [retention.get])
  const accept = async () => {
    await run({ body: { id: preview.id, seal } })
    toast({ title: 'Suppressions acceptées', description: 'La première commence à l’instant.', variant: 'success' })
  }
  return (
    <Confirm
      title="Accepter ces suppressions&nbsp;?"
      description="Elles commencent maintenant et se refont chaque nuit, jusqu’à ce qu’une durée change. Ce qui est supprimé ne revient pas."
      action="Accepter les suppressions"
      onConfirm={accept}
      trigger={<Button variant="danger">Accepter les suppressions</Button>}
    />
  )
}

/** What the durations remove is shown before the first time; the yes holds until one of them changes. */
export function RetentionDecision({ data: { preview, confirmed, seal } }: { data: Retention }) {
  return (
    <Card
      title="Ce qui serait supprimé"
      description="Rien n’est supprimé avant que quelqu’un l’ait vu et accepté, une fois à chaque changement de durée."
    >
      <div className="grid gap-4">
        <p className="flex flex-wrap items-center gap-3 text-body">
          {confirmed ? <Badge tone="success">Acceptées</Badge> : <Badge tone="warning">À accepter</Badge>}
          <span className="text-ink-soft">
            {preview?.confirmedAt
              ? `Par ${preview.confirmedBy}, le ${formatDateTime(preview.confirmedAt)}.`
              : preview
                ? `Compté le ${formatDateTime(preview.createdAt)}.`
                : 'Ces durées n’ont pas encore été regardées.'}
          </span>
        </p>
        {preview && !preview.confirmedAt && (
          <RetentionCountsTable counts={preview.counts} label="Ce qui serait supprimé" />
        )}
        <Can call={retention.preview}>
          <div className="flex flex-wrap gap-3">
            {preview && !confirmed && <AcceptButton preview={preview} seal={seal} />}
            <PreviewButton again={preview !== null} />
          </div>
        </Can>
      </div>
    </Card>
  )
}
