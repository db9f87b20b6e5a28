import type { SyncError } from '@voisol/contract/sync'
import { formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { ArchivedAnswerButton } from '../../../ui/archived-answer.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { FaultNote } from '../../../ui/fault.tsx'
import { Link } from '../../../ui/link.tsx'
import type { Column } from '../../../ui/table.tsx'
import { formatSubject, getTaskPath } from '../words.ts'

const SoftText = ({ children }: { children: string }) => (
  <span className="block text-[0.8125rem] text-ink-soft">{children}</span>
)

const RequestReference = ({ requestId }: Pick<SyncError, 'requestId'>) => (
  <p className="mt-1 pl-3.5 text-[0.8125rem] text-ink-soft">
    Référence <code className="break-all">{requestId}</code>
  </p>
)

/** Two links under one another, each large enough for a finger. */
const linkClass = 'my-0.5 min-h-5 justify-self-start text-[0.8125rem] text-link'

const ErrorLocation = ({ prm, label, operationId, operationName, taskId }: SyncError) => (
  <span className="grid min-w-40">
    {label && <span className="font-medium">{label}</span>}
    <span className={cx('tabular break-words', label ? 'text-[0.8125rem] text-ink-soft' : 'font-medium')}>
      {prm ? formatSubject(prm) : '–'}
    </span>
    {operationId && (
      <Link to={`/acc-operations/${operationId}?onglet=distributeur`} className={linkClass}>
        {operationName}
      </Link>
    )}
    {taskId && (
      <Link to={getTaskPath(taskId)} className={linkClass}>
        Voir la tâche
      </Link>
    )}
  </span>
)

export const syncErrorColumns: Column<SyncError>[] = [
  {
    header: 'Erreur',
    card: 'title',
    sort: 'code',
    cell: ({ fault, requestId, sha256 }) => (
      <div className="grid min-w-72 max-w-2xl py-2.5 sm:min-w-96">
        <FaultNote fault={fault} />
        {requestId && <RequestReference requestId={requestId} />}
        {sha256 && <ArchivedAnswerButton sha256={sha256} />}
      </div>
    ),
  },
  { header: 'Point', card: 'secondary', sort: 'prm', cell: (error) => <ErrorLocation {...error} /> },
  {
    header: 'Dernière fois',
    card: 'primary',
    sort: 'lastAt',
    cell: ({ at, lastAt, times }) => (
      <span className="block whitespace-nowrap">
        {formatDateTime(lastAt)}
        <SoftText>{times > 1 ? `${formatNumber(times)}\u00a0fois depuis le ${formatDate(at)}` : 'une fois'}</SoftText>
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
          <SoftText>{`le ${formatDate(handledAt)}${handledBy ? ` par ${handledBy}` : ''}`}</SoftText>
        </span>
      ) : (
        <Badge tone="warning">À traiter</Badge>
      ),
  },
]
