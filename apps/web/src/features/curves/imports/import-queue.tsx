import type { CurveImport } from '@voisol/contract/curves'
import { plural } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { IMPORT_STATUSES } from '../labels.ts'
import { nextOf } from './queue-next.ts'
import { useImport } from './use-import.ts'

type FileProps = { id: string; isOpen: boolean; onOpen: (id: string) => void }

/** Where one file of several stands, and what it waits for. */
function QueuedFile({ id, isOpen, onOpen }: FileProps) {
  const { data: item } = useImport(id)
  if (!item)
    return (
      <li className="py-2">
        <Skeleton className="h-8 w-full" />
      </li>
    )
  const { label, tone } = IMPORT_STATUSES[item.status]
  const next = nextOf(item)
  return (
    <li
      aria-current={isOpen ? 'true' : undefined}
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2 first:border-0',
        isOpen && 'font-medium',
      )}
    >
      <span className="min-w-0 grow basis-60 break-words text-body">
        {item.name}
        <span className="block text-[0.8125rem] font-normal text-ink-soft">{next.words}</span>
      </span>
      <Badge tone={tone}>{label}</Badge>
      <Button
        variant="secondary"
        size="small"
        disabled={isOpen}
        aria-label={`${next.action}\u00a0: ${item.name}`}
        onClick={() => onOpen(id)}
      >
        {next.action}
      </Button>
    </li>
  )
}

type QueueProps = { ids: string[]; openId: CurveImport['id'] | null; onOpen: (id: string) => void; onLeave: () => void }

/** Files that were dropped together: each is read, asked about and kept by itself. */
export const ImportQueue = ({ ids, openId, onOpen, onLeave }: QueueProps) => (
  <Card
    title={plural(ids.length, 'fichier déposé', 'fichiers déposés')}
    description="Chacun est lu à part, avec ses questions. Rien n’est enregistré avant votre accord."
    actions={
      <Button variant="quiet" size="small" onClick={onLeave}>
        Fermer cette liste
      </Button>
    }
  >
    <ul aria-label="Fichiers déposés ensemble">
      {ids.map((id) => (
        <QueuedFile key={id} id={id} isOpen={id === openId} onOpen={onOpen} />
      ))}
    </ul>
  </Card>
)
