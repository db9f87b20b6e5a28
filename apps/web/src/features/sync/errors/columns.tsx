import type { SyncError } from '@voisol/contract/sync'
import { date, dateTime, number } from '../../../lib/format.ts'
import { ArchivedAnswer } from '../../../ui/archived-answer.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { FaultNote } from '../../../ui/fault.tsx'
import { Link } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table.tsx'
import { subjectOf, taskAddress } from '../words.ts'

const Soft = ({ children }: { children: string }) => (
  <span className="block text-[0.8125rem] text-ink-soft">{children}</span>
)

const Reference = ({ requestId }: Pick<SyncError, 'requestId'>) => (
  <p className="mt-1 pl-3.5 text-[0.8125rem] text-ink-soft">
    Référence <code className="break-all">{requestId}</code>
  </p>
)

/** Two links under one another, each large enough for a finger. */
const LINK = 'my-0.5 min-h-5 justify-self-start text-[0.8125rem] text-link'

const Where = ({ prm, label, operationId, operationName, taskId }: SyncError) => (
  <span className="grid min-w-40">
    {label && <span className="font-medium">{label}</span>}
    <span className={cx('tabular break-words', label ? 'text-[0.8125rem] text-ink-soft' : 'font-medium')}>
      {prm ? subjectOf(prm) : '–'}
    </span>
    {operationId && (
      <Link to={`/acc-operations/${operationId}?onglet=distributeur`} className={LINK}>
        {operationName}
      </Link>
    )}
    {taskId && (
      <Link to={taskAddress(taskId)} className={LINK}>
        Voir la tâche
      </Link>
    )}
  </span>
)

export const columns: Column<SyncError>[] = [
  {
    header: 'Erreur',
    card: 'title',
    sort: 'code',
    cell: ({ fault, requestId, sha256 }) => (
      <div className="grid min-w-72 max-w-2xl py-2.5 sm:min-w-96">
        <FaultNote fault={fault} />
        {requestId && <Reference requestId={requestId} />}
        {sha256 && <ArchivedAnswer sha256={sha256} />}
      </div>
    ),
  },
  { header: 'Point', card: 'secondary', sort: 'prm', cell: (error) => <Where {...error} /> },
  {
    header: 'Dernière fois',
    card: 'primary',
    sort: 'lastAt',
    cell: ({ at, lastAt, times }) => (
      <span className="block whitespace-nowrap">
        {dateTime(lastAt)}
        <Soft>{times > 1 ? `${number(times)}\u00a0fois depuis le ${date(at)}` : 'une fois'}</Soft>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ handledAt, handledBy }) =>
      handledAt ? (
        <span className="grid gap-1 whitespace-nowrap">
          <span>
            <Badge tone="success">Traitée</Badge>
          </span>
          <Soft>{`le ${date(handledAt)}${handledBy ? ` par ${handledBy}` : ''}`}</Soft>
        </span>
      ) : (
        <Badge tone="warning">À traiter</Badge>
      ),
  },
]
