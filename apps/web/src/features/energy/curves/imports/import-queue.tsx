import type { CurveImport } from '@voisol/contract/curves'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatCount } from '../../../../lib/format.ts'
import { IMPORT_STATUS_BADGES } from '../labels.ts'
import { useCurveImport } from './curve-import.tsx'

type FileProps = { id: string; isOpen: boolean; onOpen: (id: string) => void }

/** Where one file of several stands, and what it waits for. */
function QueuedFile({ id, isOpen, onOpen }: FileProps) {
  const { data: item } = useCurveImport(id)
  if (!item)
    return (
      <li className="py-2">
        <Skeleton className="h-8 w-full" />
      </li>
    )
  const { label, tone } = IMPORT_STATUS_BADGES[item.status]
  const next = getNextStep(item)
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
    title={formatCount(ids.length, 'fichier déposé', 'fichiers déposés')}
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

type QueuedImport = Pick<CurveImport, 'status' | 'message'> & { asked: { questions: unknown[] } }

/** What a file of several waits for, and what its button does. */
export function getNextStep({ status, message, asked }: QueuedImport): { words: string; action: string } {
  const questions = asked.questions.length
  if (status === 'reading') return { words: 'Lecture en cours…', action: 'Voir' }
  if (status === 'storing') return { words: 'Enregistrement en cours…', action: 'Voir' }
  if (status !== 'ready') return { words: message, action: 'Voir' }
  if (questions > 0)
    return { words: `${formatCount(questions, 'question')} avant de pouvoir l’enregistrer`, action: 'Répondre' }
  return { words: 'Prêt\u00a0: vérifiez-le, puis enregistrez-le', action: 'Vérifier' }
}
