import type { Attachment, support, TicketMessage } from '@voisol/contract/support'
import type { supportDesk } from '@voisol/contract/support-desk'
import Mail from 'lucide-react/icons/mail'
import Paperclip from 'lucide-react/icons/paperclip'
import type { ReactNode } from 'react'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { cx } from '../../ui/cx.ts'
import { formatFileSize } from '../../ui/document-list.tsx'

type FileEndpoint = typeof support.file | typeof supportDesk.file

export function FileLink({ file, from }: { file: Attachment; from: FileEndpoint }) {
  const downloadFile = () =>
    download(from, { params: { id: file.id } }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <button
      type="button"
      onClick={() => void downloadFile()}
      className="inline-flex min-h-8 max-w-full items-center gap-2 rounded-button border border-line bg-card px-3 text-[0.8125rem] hover:border-control"
    >
      <Paperclip aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
      <span className="truncate">{file.name}</span>
      <span className="shrink-0 text-ink-soft">{formatFileSize(file.size)}</span>
    </button>
  )
}

type Props<M> = {
  messages: M[]
  /** Whose words stand on the right. */
  own: 'asker' | 'desk'
  from: FileEndpoint
  more?: (message: M) => ReactNode
}

/** What was written, by both sides and in its order. */
export const MessageThread = <M extends TicketMessage>({ messages, own, from, more }: Props<M>) => (
  <ol aria-label="Messages" className="grid gap-4">
    {messages.map((message) => (
      <li key={message.id} className={cx('grid max-w-[44rem] gap-1', message.side === own && 'justify-self-end')}>
        <p className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-ink-soft">
          <span className="font-medium text-ink">{message.author}</span>
          <time dateTime={message.createdAt}>{formatDateTime(message.createdAt)}</time>
          {message.source === 'mail' && (
            <span className="inline-flex items-center gap-1">
              <Mail aria-hidden="true" className="size-3.5" />
              par e-mail
            </span>
          )}
        </p>
        <div
          className={cx(
            'rounded-card border p-4 text-body break-words whitespace-pre-line',
            message.side === own ? 'border-primary-ink/20 bg-primary-soft' : 'border-line bg-card',
          )}
        >
          {message.body}
        </div>
        {message.files.length > 0 && (
          <div className="flex flex-wrap gap-2 pt-1">
            {message.files.map((file) => (
              <FileLink key={file.id} file={file} from={from} />
            ))}
          </div>
        )}
        {more?.(message)}
      </li>
    ))}
  </ol>
)
